import { type ProgressState, progressLine } from './progress-line.ts'

/** Where a replay writes: a stream's `write`, `isTTY` and `columns`. */
export type Terminal = { write(text: string): unknown; isTTY?: boolean; columns?: number }

const REDRAW_MS = 100
const LINE_EVERY_MS = 5000
const TO_LINE_START = '\r\u001b[K'

/**
 * Shows how far it has come until it is stopped: one line that is drawn again on a terminal, elsewhere a line now and
 * then. The last state always stays on a line of its own.
 */
export function showProgress(terminal: Terminal, state: () => ProgressState): { stop(): void } {
  const isTerminal = terminal.isTTY === true
  const draw = () => {
    const line = progressLine(state(), isTerminal ? (terminal.columns ?? 80) - 1 : undefined)
    terminal.write(isTerminal ? TO_LINE_START + line : `${line}\n`)
  }
  const timer = setInterval(draw, isTerminal ? REDRAW_MS : LINE_EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      draw()
      if (isTerminal) terminal.write('\n')
    },
  }
}
