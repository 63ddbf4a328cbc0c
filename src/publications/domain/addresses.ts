/** The installation's absolute addresses, without a trailing slash; known once the server listens. */
export type Addresses = { base(): string; public(): string; cdn(): string }
