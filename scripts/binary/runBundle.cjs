// Runs the bundle in this process.
const { Script } = require('node:vm');

/**
 * @param code of the bundle @param cache V8's code cache of it; one of another V8 is not used, and all is slower then
 * @param url what the bundle takes for the address of its source @param require for Node's own modules
 * @returns the script, which can make a cache of all that has run by then
 */
exports.runBundle = ({ code, cache, url, require: given }) => {
  const script = new Script(code, { filename: 'countersign', ...(cache && { cachedData: cache }) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, given, module, url);
  return script;
};
