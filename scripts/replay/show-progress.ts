import { type ProgressState, progressLine } from './progress-line.ts'

/** The output of a replay: a stream's `write`, `isTTY` and `columns`. */
export type Terminal = { write(text: string): unknown; isTTY?: boolean; columns?: number }

const REDRAW_MS = 100
const LINE_EVERY_MS = 5000
const TO_LINE_START = '\r\u001b[K'

/**
 * Shows progress until stopped. A terminal gets one line that is redrawn; other outputs get an occasional
 * line. The final state stays on its own line.
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
