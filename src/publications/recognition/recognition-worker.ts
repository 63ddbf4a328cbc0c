import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { gunzipSync } from 'node:zlib'
import { type Word, withWords } from '../model/document-content.ts'
import type { PageImage, StoredContent } from '../rendering/pages/render-page.ts'
import { structuredText } from '../rendering/pages/structured-text.ts'

/** A page to be recognised: its image, and the content that is stored of it, whose links stay. */
export type RecognitionTask = {
  image: Pick<PageImage, 'width' | 'height' | 'data'>
  /** Files with the data of languages, gzipped, by code such as `eng`. */
  languages: Record<string, string>
  words: Uint8Array
  maxCharacters: number
}

/** The part of Tesseract's API in use, compiled to WebAssembly. */
type Engine = {
  Init(folder: string, languages: string, mode: number): number
  SetImageFile(exif: number, angle: number): number
  Recognize(monitor: null): number
  GetTSVText(page: number): string
  Clear(): void
}
type EngineModule = { FS: { writeFile(path: string, bytes: Uint8Array): void }; TessBaseAPI: new () => Engine }
type EngineOptions = {
  print(): void
  printErr(): void
  instantiateWasm(
    imports: WebAssembly.Imports,
    started: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object
}

const require = createRequire(import.meta.url)

/** `OEM_LSTM_ONLY` of Tesseract: the data have nothing for the older engine. */
const LSTM_ONLY = 1

/** Memory of the engine. Measured: a dense page of 12 million pixels takes 160 MB. */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024
const WASM_PAGE_BYTES = 65_536

/** Levels of the table that Tesseract writes: pages, blocks, paragraphs, lines, words. */
const WORD_LEVEL = '5'

/** The file of its own memory from which the engine reads an image. */
const IMAGE_FILE = '/input'

/** Words with a lower confidence, of 100, are noise more often than words: pictures and stains give many. */
const MIN_CONFIDENCE = 40

/** As many as of a file's own text. */
const MAX_WORDS = 20_000

// The thread that recognises text. On Linux a thread has a priority of its own: requests and rendering come first.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

let kept: { languages: string; module: EngineModule; engine: Engine } | undefined

/**
 * Recognises the text of a page, and returns the content to be stored.
 * @throws Error if the engine cannot be used for this page, after which it begins anew
 */
export async function recognizePage(task: RecognitionTask): Promise<StoredContent> {
  const { image, maxCharacters } = task
  try {
    const { module, engine } = await engineFor(task.languages)
    module.FS.writeFile(IMAGE_FILE, greyImage(image))
    if (engine.SetImageFile(1, 0) !== 0 || engine.Recognize(null) !== 0) throw new Error('The page was not recognised')
    const words = wordsOf(engine.GetTSVText(0), image, maxCharacters)
    engine.Clear()
    // A copy: small buffers share their memory, which could not be transferred to another thread.
    return { ...structuredText(words, undefined), words: new Uint8Array(withWords(task.words, words)) }
  } catch (error) {
    kept = undefined
    throw error
  }
}

async function engineFor(files: RecognitionTask['languages']) {
  const languages = Object.keys(files).join('+')
  if (kept?.languages === languages) return kept
  kept = undefined
  const module = await startEngine()
  for (const [language, path] of Object.entries(files))
    module.FS.writeFile(`${language}.traineddata`, gunzipSync(readFileSync(path)))
  const engine = new module.TessBaseAPI()
  if (engine.Init('.', languages, LSTM_ONLY) !== 0) throw new Error(`There are no data for ${languages}`)
  kept = { languages, module, engine }
  return kept
}

/** Starts Tesseract with bounded memory. Files and network of the machine are out of its reach. */
async function startEngine(): Promise<EngineModule> {
  const name = 'tesseract.js-core/tesseract-core-simd-lstm'
  const start = require(`${name}.js`) as (options: EngineOptions) => Promise<EngineModule>
  const compiled = await WebAssembly.compile(readFileSync(require.resolve(`${name}.wasm`)))
  const quiet = () => {}
  return await start({
    print: quiet,
    printErr: quiet,
    instantiateWasm(imports, started) {
      const instance = new WebAssembly.Instance(compiled, imports)
      for (const exported of Object.values(instance.exports)) limitMemory(exported)
      started(instance, compiled)
      return instance.exports
    },
  })
}

/** Refuses memory beyond the limit: the engine then fails, and the page with it. */
function limitMemory(exported: unknown): void {
  const memory = exported as WebAssembly.Memory & { grow?(pages: number): number }
  const { grow } = memory
  if (grow === undefined) return
  memory.grow = (pages) => {
    const bytes = memory.buffer.byteLength + pages * WASM_PAGE_BYTES
    if (bytes > MAX_MEMORY_BYTES) throw new RangeError('The page takes more memory than any page needs')
    return grow.call(memory, pages)
  }
}

/** Returns an image as a grey one in the format PGM, which takes no time to read. */
function greyImage({ width, height, data }: RecognitionTask['image']): Uint8Array {
  const head = Buffer.from(`P5 ${width} ${height} 255\n`)
  const bytes = new Uint8Array(head.length + width * height)
  bytes.set(head)
  // Weights of BT.601, in 256ths.
  for (let to = head.length, at = 0; to < bytes.length; to++, at += 3)
    bytes[to] = (77 * data[at] + 150 * data[at + 1] + 29 * data[at + 2]) >> 8
  return bytes
}

/**
 * Reads words from Tesseract's table, a row each: level, page, block, paragraph, line, word, left, top, width, height,
 * confidence, text.
 */
function wordsOf(table: string, image: { width: number; height: number }, maxCharacters: number): Word[] {
  const words: Word[] = []
  let characters = 0
  let line = -1
  let lineName = ''
  for (const row of table.split('\n')) {
    const [level, , block, paragraph, lineOfParagraph, , left, top, width, height, confidence, text] = row.split('\t')
    if (level !== WORD_LEVEL || Number(confidence) < MIN_CONFIDENCE || text.trim() === '') continue
    characters += text.length + 1
    if (characters > maxCharacters || words.length === MAX_WORDS) break
    const name = `${block} ${paragraph} ${lineOfParagraph}`
    if (name !== lineName) line++
    lineName = name
    const [x, right] = [Number(left), Number(left) + Number(width)].map((pixels) => share(pixels, image.width))
    const [y, bottom] = [Number(top), Number(top) + Number(height)].map((pixels) => share(pixels, image.height))
    words.push({
      text: text.trim().toWellFormed(),
      line,
      x,
      y,
      width: share(right - x, 1),
      height: share(bottom - y, 1),
    })
  }
  return words
}

/** Returns a part of a length, from 0 to 1, with the five decimals of all boxes. */
function share(pixels: number, of: number): number {
  return Math.round(Math.min(Math.max(pixels / of, 0), 1) * 100_000) / 100_000
}
