import { fileURLToPath } from 'node:url'

/**
 * The documents of the demo, oldest first: pages of the project, and a route sheet. `scripts/print-demo.ts` prints
 * their PDFs, which lie beside this file.
 */
export const LIBRARY: readonly { title: string; file: string }[] = [
  { title: 'Operating Trackpress', file: 'operating.pdf' },
  { title: 'Publishing documents', file: 'publishing.pdf' },
  { title: 'Recording tracks', file: 'recording.pdf' },
  { title: 'Getting started with Trackpress', file: 'getting-started.pdf' },
  { title: 'Route sheet: Portugal Cove and Torbay', file: 'route-sheet.pdf' },
]

/** Returns the path of a PDF of the library. */
export function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
