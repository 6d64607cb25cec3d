// Stands in for @opentelemetry/api in bundles, and refuses what it is asked for.
const refuse = () => {
  throw new Error('This bundle makes no exemplars: @opentelemetry/api is not in it (scripts/bundle/bundle.mjs).');
};

exports.trace = { getSpan: refuse };
exports.context = { active: refuse };
