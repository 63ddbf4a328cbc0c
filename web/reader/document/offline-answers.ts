import { foldForSearch, type SearchableText, searchTexts } from '../../../src/publications/search/find-in-text.ts'
import { answerRequestsBy } from './request-failure.ts'

// Answers the requests of the reader from the scripts of its folder: a page that was opened from a file may run
// scripts beside it, but not read other files.

/** As many snippets as a server sends. */
const MAX_SNIPPETS = 200
/** Pages folded at once, so that the page stays usable. */
const PAGES_PER_TURN = 50

type PageText = { page: number; text: string }
type ListedPage = { page: number; label?: string; image: string }

const loading = new Map<string, Promise<unknown>>()
const arrived = new Map<string, unknown>()

// Each script of data calls this.
Object.assign(globalThis, { publicationData: (name: string, value: unknown) => arrived.set(name, value) })
answerRequestsBy(answer)

/** Answers a request of the reader by its address; one for something else is not found. */
async function answer(address: string): Promise<Response> {
  const { pathname, searchParams } = new URL(address, location.href)
  const path = pathname.split('/').slice(-2).join('/')
  const words = /^pages\/(\d+)$/.exec(path)
  if (words !== null) return Response.json({ words: await data(`page-${words[1]}`) })
  if (path === 'data/search') return Response.json(await search(searchParams))
  if (path.endsWith('/data')) return Response.json({ pages: await data<ListedPage[]>('pages') })
  const part = searchParams.get('from')
  if (part !== null) return new Response(await partOf(Number(part)), { headers: { 'content-type': 'text/html' } })
  return new Response(undefined, { status: 404 })
}

/** Returns the HTML of the part that has a page. */
async function partOf(page: number): Promise<string> {
  const parts = await data<number[]>('parts')
  return await data<string>(`part-${parts.findLast((from) => from <= page)}`)
}

/** Loads the script with a piece of data, once. */
async function data<Value>(name: string): Promise<Value> {
  const known = loading.get(name) ?? load(name)
  loading.set(name, known)
  return (await known) as Value
}

async function load(name: string): Promise<unknown> {
  const script = document.createElement('script')
  script.src = new URL(`data/${name}.js`, document.baseURI).href
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  script.addEventListener('load', () => resolve())
  script.addEventListener('error', () => reject(new Error(`data/${name}.js cannot be loaded`)))
  document.head.append(script)
  await promise.finally(() => script.remove())
  const value = arrived.get(name)
  arrived.delete(name)
  return value
}

let folded: Promise<SearchableText[]> | undefined

async function search(query: URLSearchParams) {
  folded ??= foldAll()
  const texts = await folded
  const from = Number(query.get('from') ?? 1)
  const found = searchTexts(texts, foldForSearch(query.get('q') ?? ''), from, MAX_SNIPPETS)
  const withoutText = texts.filter((one) => one.folded === '').length
  return { ...found, page_count: texts.length, pages_searched: texts.length, pages_without_text: withoutText }
}

async function foldAll(): Promise<SearchableText[]> {
  const texts = await data<PageText[]>('texts')
  const all: SearchableText[] = []
  for (let at = 0; at < texts.length; at += PAGES_PER_TURN) {
    all.push(...texts.slice(at, at + PAGES_PER_TURN).map((one) => ({ ...one, folded: foldForSearch(one.text) })))
    await new Promise((resolve) => setTimeout(resolve))
  }
  return all
}
