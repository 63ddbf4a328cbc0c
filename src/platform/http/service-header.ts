/**
 * Header of every answer, by which a client on a phone knows that this server has answered, and not a captive portal
 * or a proxy on the way: some of those answer 204 to everything.
 */
export const SERVICE_HEADER = { name: 'Trackpress-Api', value: '1' }
