import { readdir } from 'node:fs/promises'

/** A file, by the bytes of its path: on most systems a name need not be UTF-8. */
export type FoundPdf = {
  path: Buffer
  /** From the folder on, as it can be printed. */
  name: string
}

/** What a folder holds, and which folders in it could not be looked into. */
export type FoundPdfs = { files: FoundPdf[]; unreadable: { name: string; reason: string }[] }

const SLASH = Buffer.from('/')
const IS_PDF = /\.pdf$/i

/**
 * Every file of a folder, and of the folders in it, whose name ends in `.pdf`, by name. Links are not followed: they
 * may lead anywhere, and round in circles.
 * @throws where the folder itself cannot be read
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

/** Control characters could rewrite what is on a terminal. */
function printable(name: Buffer): string {
  return name.toString('utf8').replace(/\p{Cc}/gu, '\ufffd')
}
