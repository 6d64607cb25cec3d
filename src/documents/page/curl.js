/** An operation's example as a command that can be pasted into a shell. */

export function curlOf({ method, path, operation }, baseUrl) {
  const parameters = operation.parameters.filter((parameter) => parameter.example !== undefined);
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const filled = inPath.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(example)),
    path,
  );
  const query = new URLSearchParams();
  for (const { name, example } of parameters.filter((parameter) => parameter.in === 'query'))
    query.set(name, String(example));
  const address = baseUrl + filled + (query.size > 0 ? `?${query}` : '');
  const body = Object.values(operation.requestBody?.content['application/json'].examples ?? {})[0]?.value;
  const needsCredential = operation.security.length > 0 && 'apiKey' in operation.security[0];
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${quoted(address)}`,
    ...(needsCredential ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** For a POSIX shell. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
