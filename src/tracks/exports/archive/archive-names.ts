import { fileStem } from '#platform/http/ranges/content-disposition.ts'

/** Leaves room for a number and the extension within the 255 bytes of most file systems. */
const MAX_STEM_BYTES = 200
/** Characters that Windows does not allow in names. The separators of folders are gone by now. */
const FORBIDDEN = /[<>:|?*]/g
/** Names of devices on Windows, with any extension. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/**
 * Gives names to files of one folder, so that none equals another on any file system: upper and lower case, and the
 * ways to spell an accent in Unicode, make no difference.
 */
export class ArchiveNames {
  /** The names so far, folded. */
  readonly #taken = new Set<string>()
  /** The number to try next, by the folded name without a number. */
  readonly #next = new Map<string, number>()

  /** Returns a name for any text, such as a title: `Lake.gpx`, then `Lake (2).gpx`. */
  take(text: string, extension: string): string {
    const stem = archiveStem(text)
    const plain = folded(`${stem}.${extension}`)
    let number = this.#next.get(plain) ?? 1
    let name: string
    do {
      name = `${stem}${number === 1 ? '' : ` (${number})`}.${extension}`
      number++
    } while (this.#taken.has(folded(name)))
    this.#next.set(plain, number)
    this.#taken.add(folded(name))
    return name
  }
}

function archiveStem(text: string): string {
  const safe = fileStem(text).normalize('NFC').replace(FORBIDDEN, '_').replace(DEVICES, '_$1')
  // A leading point hides a file, and Windows drops points and spaces at the end.
  const visible = firstBytes(safe, MAX_STEM_BYTES)
    .replace(/^\.+/, '_')
    .replace(/(?<![. ])[. ]+$/, '')
  return visible || '_'
}

/** Cuts between code points. */
function firstBytes(text: string, count: number): string {
  let length = 0
  let kept = ''
  for (const character of text) {
    length += Buffer.byteLength(character)
    if (length > count) break
    kept += character
  }
  return kept
}

/** Maps names that some file system takes for equal to the same text. */
function folded(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase()
}
