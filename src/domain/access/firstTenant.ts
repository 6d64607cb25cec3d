/** The setting that names the first tenant. */

/** The tenant that the node's owner and the first key belong to. */
export const FIRST_TENANT = 'first_tenant';
