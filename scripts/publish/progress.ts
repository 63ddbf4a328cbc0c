import { bar } from '../command-line/status-line.ts'

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
    return `Uploading  ${barOf(sentBytes, bytes)}  ${formatBytes(sentBytes)} of ${formatBytes(bytes)}`
  }
  const { pages, readyPages } = state
  return `Rendering  ${barOf(readyPages, pages)}  ${readyPages} of ${pages} ${pages === 1 ? 'page' : 'pages'}`
}

function barOf(done: number, all: number): string {
  return bar(all === 0 ? 1 : Math.min(1, done / all), BAR_CELLS)
}

/** Formats a size in steps of a thousand: `12 bytes`, `345 kB`, `1.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`
  if (bytes < 999_950_000) return `${(bytes / 1e6).toFixed(1)} MB`
  return `${(bytes / 1e9).toFixed(2)} GB`
}
