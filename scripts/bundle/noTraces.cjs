// Stands in bundles for @opentelemetry/api, which prom-client loads with every start and asks for exemplars alone. This program
// makes none, and loading it took 3 % of a start.
const refuse = () => {
  throw new Error(
    'Exemplars would take @opentelemetry/api, which is not in this bundle: see scripts/bundle/bundle.mjs.',
  );
};

exports.trace = { getSpan: refuse };
exports.context = { active: refuse };
