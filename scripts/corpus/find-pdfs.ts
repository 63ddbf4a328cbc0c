import { readdir } from 'node:fs/promises'

/** A file, with its path in bytes: on most systems a name need not be UTF-8. */
export type FoundPdf = {
  path: Buffer
  /** Printable path relative to the folder. */
  name: string
}

/** The PDFs of a folder, and the subfolders that could not be read. */
export type FoundPdfs = { files: FoundPdf[]; unreadable: { name: string; reason: string }[] }

const SLASH = Buffer.from('/')
const IS_PDF = /\.pdf$/i

/**
 * Finds every file below a folder whose name ends in `.pdf`, sorted by name. Links are not followed, because
 * they may lead anywhere and form circles.
 * @throws if the folder itself cannot be read
 */
export async function findPdfs(folder: string): Promise<FoundPdfs> {
  const found: FoundPdfs = { files: [], unreadable: [] }
  const root = Buffer.from(folder)
  const waiting = [root]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const names = await readFolder(path).catch((error: NodeJS.ErrnoException) => {
      if (path === root) throw error
      found.unreadable.push({ name: printable(path.subarray(root.length + 1)), reason: error.code ?? error.message })
      return { folders: [], files: [] }
    })
    waiting.push(...names.folders)
    for (const file of names.files) found.files.push({ path: file, name: printable(file.subarray(root.length + 1)) })
  }
  found.files.sort((a, b) => Buffer.compare(a.path, b.path))
  return found
}

async function readFolder(path: Buffer<ArrayBuffer>) {
  const entries = await readdir(path, { encoding: 'buffer', withFileTypes: true })
  const isPdf = (name: Buffer) => IS_PDF.test(name.toString('latin1'))
  const full = ({ name }: { name: Buffer }) => Buffer.concat([path, SLASH, name])
  return {
    folders: entries.filter((entry) => entry.isDirectory()).map(full),
    files: entries.filter((entry) => entry.isFile() && isPdf(entry.name)).map(full),
  }
}

/** Replaces control characters, which could rewrite the terminal. */
function printable(name: Buffer): string {
  return name.toString('utf8').replace(/\p{Cc}/gu, '\ufffd')
}
