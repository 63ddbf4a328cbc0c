/** Progress of a file that is being published. */
export type PublishState =
  | { step: 'uploading'; sentBytes: number; bytes: number }
  | { step: 'opening' }
  | { step: 'rendering'; pages: number; readyPages: number }

const BAR_CELLS = 24

/** Formats the progress in one line of at most `width` characters. */
export function progressLine(state: PublishState, width = Number.POSITIVE_INFINITY): string {
  return lineOf(state).slice(0, Math.max(0, width))
}

function lineOf(state: PublishState): string {
  if (state.step === 'opening') return 'Opening the document'
  if (state.step === 'uploading') {
    const { sentBytes, bytes } = state
    return `Uploading  ${bar(sentBytes, bytes)}  ${formatBytes(sentBytes)} of ${formatBytes(bytes)}`
  }
  const { pages, readyPages } = state
  return `Rendering  ${bar(readyPages, pages)}  ${readyPages} of ${pages} ${pages === 1 ? 'page' : 'pages'}`
}

function bar(done: number, all: number): string {
  const share = all === 0 ? 1 : Math.min(1, done / all)
  const full = Math.floor(share * BAR_CELLS)
  const percent = String(Math.floor(share * 100)).padStart(3)
  return `${'█'.repeat(full)}${'░'.repeat(BAR_CELLS - full)} ${percent} %`
}

/** Formats a size in steps of a thousand: `12 bytes`, `345 kB`, `1.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`
  if (bytes < 999_950_000) return `${(bytes / 1e6).toFixed(1)} MB`
  return `${(bytes / 1e9).toFixed(2)} GB`
}

/** The output for progress: a stream's `write`, `isTTY` and `columns`. */
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
