import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

// node pdfjs-pages.ts <document> <folder> <pages>, or --version: draws the first pages with pdfjs-dist at
// 100 dots per inch, as PNG. The package is not one of ours; it is found in NODE_PATH. Ends with status
// 127, as a shell does, if it is not there.

/** The part of pdfjs-dist that is used here. */
type Canvas = { encode(format: 'png'): Promise<Buffer> }
type Page = {
  getViewport(options: { scale: number }): { width: number; height: number }
  render(options: object): { promise: Promise<void> }
  cleanup(): void
}
type Document = {
  numPages: number
  getPage(number: number): Promise<Page>
  canvasFactory: { create(width: number, height: number): { canvas: Canvas; context: object } }
}
type PdfJs = { getDocument(options: object): { promise: Promise<Document> } }

const DOTS_PER_INCH = 100
const POINTS_PER_INCH = 72

const [pdf, folder, most] = process.argv.slice(2)
const path = findPackage()
if (path === undefined) process.exit(127)
if (pdf === '--version') {
  const { version } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as { version: string }
  process.stdout.write(`pdfjs-dist version ${version}\n`)
  process.exit(0)
}
const { getDocument } = (await import(pathToFileURL(join(path, 'legacy/build/pdf.mjs')).href)) as PdfJs
const document = await getDocument({
  data: new Uint8Array(readFileSync(pdf)),
  standardFontDataUrl: `${join(path, 'standard_fonts')}/`,
  cMapUrl: `${join(path, 'cmaps')}/`,
  wasmUrl: `${join(path, 'wasm')}/`,
  verbosity: 0,
}).promise
for (let number = 1; number <= Math.min(document.numPages, Number(most)); number++) {
  const page = await document.getPage(number)
  const viewport = page.getViewport({ scale: DOTS_PER_INCH / POINTS_PER_INCH })
  const { canvas, context } = document.canvasFactory.create(Math.ceil(viewport.width), Math.ceil(viewport.height))
  await page.render({ canvasContext: context, canvas, viewport }).promise
  writeFileSync(join(folder, `${number}.png`), await canvas.encode('png'))
  page.cleanup()
}
process.exit(0)

function findPackage(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
  } catch {
    return undefined
  }
}
