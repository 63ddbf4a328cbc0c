import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { PdfError } from '../pdfium/pdf-error.ts'
import { createRenderer, type PageResult } from './renderer.ts'

// Files out of bug reports that have hung or crashed one PDF engine or another. They lie beside the checkout where they
// may; they are not ours to pass on.
const folder = fileURLToPath(new URL('../../../../../shared/data/pdfs/pdfjs/', import.meta.url))
const skip = !existsSync(folder) && `there is no ${folder}`

const files = [
  'operator_list_cycle',
  'bug_jpx',
  'poppler-85140-0',
  'issue16263',
  'poppler-395-0-fuzzed',
  'poppler-742-0-fuzzed',
  'poppler-91414-0-53',
  'REDHAT-1531897-0',
  'PDFBOX-3148-2-fuzzed',
  'GHOSTSCRIPT-698804-1-fuzzed',
  'Pages-tree-refs',
  'xref_command_missing',
  'bug1606566',
  'tiling-pattern-large-steps',
]

describe('files that have harmed others', { skip }, () => {
  test('end in pages or in reasons, and leave the renderer working', async (t) => {
    const renderer = createRenderer({ workers: 1, pageDeadlineMs: 3_000, inspectDeadlineMs: 3_000, fonts: [] })
    t.after(() => renderer.close())

    for (const file of files) {
      const outcomes = await outcomesOf(file)
      t.diagnostic(`${file}: ${outcomes.join(', ')}`)
      assert.ok(outcomes.length > 0, file)
    }
    assert.deepEqual(new Set(await outcomesOf('rotation')), new Set(['rendered']))

    async function outcomesOf(file: string): Promise<string[]> {
      const path = `${folder}${file}.pdf`
      const outcomes: string[] = []
      const onPage = ({ failed }: PageResult) => outcomes.push(failed ?? 'rendered')
      try {
        const { pages } = await renderer.inspect(path)
        const numbers = pages.slice(0, 4).map((_, at) => at + 1)
        await renderer.renderPages(path, numbers, { width: 600, onPage }).finished
      } catch (error) {
        assert.ok(error instanceof PdfError, String(error))
        outcomes.push(error.code)
      }
      return outcomes
    }
  })
})
