/** A server-sent event. */
export type ServerSentEvent = { event: string; data: string; id: string | undefined }

/**
 * Creates a parser of a stream of server-sent events (HTML, 9.2.6). Text may be cut anywhere.
 * @returns a function that takes the next part of the text and returns the events that are complete
 */
export function serverSentEvents(): (text: string) => ServerSentEvent[] {
  let rest = ''
  let event = ''
  let data: string[] = []
  let id: string | undefined

  function endEvent(): ServerSentEvent[] {
    const complete = data.length > 0 ? [{ event: event || 'message', data: data.join('\n'), id }] : []
    event = ''
    data = []
    return complete
  }

  return (text) => {
    // A carriage return at the end may be the first half of a line break.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    return lines.flatMap((line) => {
      if (line === '') return endEvent()
      const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
      if (name === 'event') event = value
      else if (name === 'data') data.push(value)
      else if (name === 'id') id = value
      return []
    })
  }
}
