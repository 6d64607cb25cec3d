/** Where models find the node. */
export const MCP_PATH = '/mcp';

/** Where the metadata of the protected resource is (RFC 9728 section 3). */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';
