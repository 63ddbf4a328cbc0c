/** An event for a page. `data` is sent as JSON. The client returns `id` as Last-Event-ID when it reconnects. */
export type ServerEvent = { event?: string; id?: string; data: unknown }

/** Events encoded once for any number of streams. */
export type EncodedEvents = { readonly bytes: Buffer }

/**
 * Encodes server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 * @throws Error if a name or id has several lines
 */
export function encodeEvents(events: readonly ServerEvent[]): EncodedEvents {
  return { bytes: Buffer.from(events.map(encodeEvent).join('')) }
}

/** Encodes one event. JSON has no line breaks, so one line of data is always enough. */
function encodeEvent({ event, id, data }: ServerEvent): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    `data: ${JSON.stringify(data)}`,
  ]
  if (lines.some((line) => /[\r\n\0]/.test(line))) throw new Error('An event has a line break in its name or id')
  return `${lines.join('\n')}\n\n`
}
