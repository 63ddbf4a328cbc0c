/** The output for a status: a stream's `write`, `isTTY` and `columns`. */
export type Terminal = { write(text: string): unknown; isTTY?: boolean; columns?: number }

const REDRAW_MS = 100
const LINE_EVERY_MS = 5000
const TO_LINE_START = '\r\u001b[K'

export type StatusLine = {
  /** Clears the line while something else is written to the terminal. */
  interrupt(write: () => void): void
  stop(): void
}

/**
 * Shows a status until stopped. A terminal gets one line that is redrawn; other outputs get an occasional line when the
 * status has changed. The final status stays on its own line.
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

/** Formats a bar that is filled by a share from 0 to 1: `████░░░░  50 %`. */
export function bar(share: number, cells: number): string {
  const full = Math.floor(share * cells)
  return `${'█'.repeat(full)}${'░'.repeat(cells - full)} ${String(Math.floor(share * 100)).padStart(3)} %`
}
