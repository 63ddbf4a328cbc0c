const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Tells whether a text can be an id of ours: a UUID in lower case. Anything else is not worth a query, and PostgreSQL
 * refuses some texts that an address can hold.
 */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
