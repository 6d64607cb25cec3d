-- Sends each line of a file as the body of one POST, in turn, and looks at every answer.
-- Arguments after the address: bodies file, samples file, then headers as "name: value".
local SAMPLE_EVERY = 200

local setup_threads = {}
function setup(thread) table.insert(setup_threads, thread) end

function init(args)
  bodies = assert(io.open(args[1], "r"))
  samples = assert(io.open(args[2], "w"))
  local lines = { "POST " .. wrk.path .. " HTTP/1.1", "Host: " .. wrk.host .. ":" .. wrk.port, "Content-Type: application/json" }
  for i = 3, #args do table.insert(lines, args[i]) end
  head = table.concat(lines, "\r\n") .. "\r\nContent-Length: "
  answered, wrong, exhausted, first_wrong = 0, 0, 0, ""
end

function request()
  local body = bodies:read("*l")
  if body == nil then
    -- Sending a body twice would measure a remembered answer, so the run ends here and counts as failed.
    exhausted = 1
    wrk.thread:stop()
    body = "{}"
  end
  return head .. #body .. "\r\n\r\n" .. body
end

function response(status, headers, body)
  answered = answered + 1
  if status ~= 200 or not body:find('"result"', 1, true) then
    wrong = wrong + 1
    if first_wrong == "" then first_wrong = status .. " " .. body end
  elseif answered % SAMPLE_EVERY == 1 then
    samples:write(body, "\n")
  end
end

function done(summary, latency)
  local thread = setup_threads[1]
  local errors = summary.errors
  io.write("first wrong: ", thread:get("first_wrong"):gsub("\n", " "), "\n")
  io.write(string.format(
    'BENCH {"requests":%d,"seconds":%.6f,"p50Ms":%.3f,"p99Ms":%.3f,"wrong":%d,"socketErrors":%d,"exhausted":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    thread:get("wrong"), errors.connect + errors.read + errors.write + errors.timeout, thread:get("exhausted")))
end
