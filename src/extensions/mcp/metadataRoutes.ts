/** Whom the MCP endpoint takes tokens of: the metadata of the protected resource (RFC 9728). */
import { z } from 'zod';
import type { OpenRoute } from '../../gates/rest/openRoute.ts';
import type { NodeFacts } from '../../gates/shell/gate.ts';
import { MCP_PATH, RESOURCE_METADATA_PATH } from './mcpPaths.ts';

const Metadata = z.looseObject({ resource: z.string(), authorization_servers: z.array(z.string()) });

export function metadataRoutes({ baseUrl, oidcIssuer }: NodeFacts): readonly OpenRoute[] {
  const metadata = {
    resource: `${baseUrl}${MCP_PATH}`,
    authorization_servers: oidcIssuer === undefined ? [] : [oidcIssuer],
    scopes_supported: ['read', 'write'],
    bearer_methods_supported: ['header'],
    resource_name:
      oidcIssuer === undefined
        ? 'Countersign; send an API key as the bearer token'
        : 'Countersign; send an access token for this resource, or an API key, as the bearer token',
    resource_documentation: `${baseUrl}/docs`,
  };
  const paths = { resourceMetadata: RESOURCE_METADATA_PATH, mcpMetadata: RESOURCE_METADATA_PATH + MCP_PATH };
  return Object.entries(paths).map(
    ([name, path]): OpenRoute => ({
      method: 'GET',
      path,
      name,
      summary: 'Tells whom the MCP endpoint takes tokens of (RFC 9728).',
      answers: { 200: { description: 'The metadata.', schema: Metadata, example: metadata } },
      async answer(context) {
        const { everyOrigin } = await import('../../gates/rest/respond.ts');
        everyOrigin(context);
        context.body = metadata;
      },
    }),
  );
}
