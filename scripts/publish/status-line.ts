/** Where progress is shown: a stream's `write`, `isTTY` and `columns`. */
export type Terminal = { write(text: string): unknown; isTTY?: boolean; columns?: number }

const REDRAW_MS = 100
const LINE_EVERY_MS = 5000
const TO_LINE_START = '\r\u001b[K'

export type StatusLine = {
  /** Lets something else be written between, to the same terminal or another. */
  interrupt(write: () => void): void
  stop(): void
}

/**
 * Shows how something stands until it is stopped: one line that is drawn again on a terminal, elsewhere a line now and
 * then, where it has changed. What it says at the end stays on a line of its own.
 */
export function showStatus(terminal: Terminal, line: (width?: number) => string): StatusLine {
  const isTerminal = terminal.isTTY === true
  let written = ''
  const draw = () => {
    const text = line(isTerminal ? (terminal.columns ?? 80) - 1 : undefined)
    if (text === written || text === '') return
    written = text
    terminal.write(isTerminal ? TO_LINE_START + text : `${text}\n`)
  }
  const timer = setInterval(draw, isTerminal ? REDRAW_MS : LINE_EVERY_MS)
  return {
    interrupt(write) {
      if (isTerminal) terminal.write(TO_LINE_START)
      write()
      written = ''
      if (isTerminal) draw()
    },
    stop() {
      clearInterval(timer)
      draw()
      if (isTerminal && written !== '') terminal.write('\n')
    },
  }
}
