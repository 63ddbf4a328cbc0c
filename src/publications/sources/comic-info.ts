import { walkXml } from '#platform/basics/walk-xml.ts'
import type { SourceStatements } from './pages-pdf.ts'

const MAX_TEXT_LENGTH = 2_000
const ROOT = 'ComicInfo'

/**
 * Reads what a ComicInfo.xml says about a comic: title, or series and number; writer, summary, language, and whether it
 * is read from right to left. Says nothing if the file is broken, or has entities of its own.
 */
export function readComicInfo(bytes: Uint8Array): SourceStatements {
  try {
    return statementsOf(readFields(bytes))
  } catch {
    return {}
  }
}

function statementsOf(fields: ReadonlyMap<string, string>): SourceStatements {
  const series = [fields.get('Series'), fields.get('Number')].filter((text) => text !== undefined).join(' ')
  return {
    title: fields.get('Title') ?? (fields.has('Series') ? series : undefined),
    author: fields.get('Writer'),
    description: fields.get('Summary'),
    language: fields.get('LanguageISO'),
    isRightToLeft: fields.get('Manga') === 'YesAndRightToLeft',
  }
}

/** Returns the texts of the elements in the root, one line each. */
function readFields(bytes: Uint8Array): Map<string, string> {
  const fields = new Map<string, string>()
  walkXml(bytes, ROOT, {
    close({ name, text }, parents) {
      const words = text.replace(/\s+/g, ' ').slice(0, MAX_TEXT_LENGTH)
      if (parents.length === 1 && words !== '') fields.set(name, words)
    },
  })
  return fields
}
