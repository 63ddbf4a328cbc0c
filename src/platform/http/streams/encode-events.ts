/** An event as a page sees it: `data` arrives as JSON text; `id` comes back as Last-Event-ID after a broken connection. */
export type ServerEvent = { event?: string; id?: string; data: unknown }

/** Events as they are sent, to as many streams as there are. */
export type EncodedEvents = { readonly bytes: Buffer }

/**
 * Events in the form of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * @throws Error for a name or id of several lines
 */
export function encodeEvents(events: readonly ServerEvent[]): EncodedEvents {
  return { bytes: Buffer.from(events.map(encodeEvent).join('')) }
}

/** JSON holds no line breaks, so one line of data is always enough. */
function encodeEvent({ event, id, data }: ServerEvent): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    `data: ${JSON.stringify(data)}`,
  ]
  if (lines.some((line) => /[\r\n\0]/.test(line))) throw new Error('An event has a line break in its name or id')
  return `${lines.join('\n')}\n\n`
}
