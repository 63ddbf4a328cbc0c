import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { FIRST_OBJECT, makePdf, stream } from '../support/make-pdf.ts'
import { decompressionBomb, numberedPages } from '../support/make-pdf-examples.ts'
import { readProblem } from '../support/problem.ts'
import { answer, publishPdf, untilRendered, uploadPdf } from '../support/publish.ts'

const FORM = '/Type /XObject /Subtype /Form /BBox [0 0 612 792]'
const own = (at: number) => `${FIRST_OBJECT + at} 0 R`
const drawing = (form: Buffer | string) => ({
  pages: [{ content: '/X0 Do' }],
  resources: `/XObject << /X0 ${own(0)} >>`,
  objects: [form],
})

/** A table of contents in which each entry is nested in the one before. */
function deepOutline(depth: number): Buffer {
  const entries = Array.from({ length: depth }, (_, at) => {
    const below = at === depth - 1 ? '' : `/First ${own(at + 2)} /Last ${own(at + 2)}`
    return `<< /Title (Entry) /Parent ${own(at)} ${below} >>`
  })
  return makePdf({
    catalog: `/Outlines ${own(0)}`,
    objects: [`<< /Type /Outlines /First ${own(1)} /Last ${own(1)} >>`, ...entries],
  })
}

/** Documents that open, with their final status and page count. */
const opened: [what: string, pdf: Buffer, status: string, pages: number][] = [
  ['unfold to 64 MB', decompressionBomb(), 'ready', 2],
  [
    'draw a form within itself',
    makePdf(drawing(stream('/X0 Do /X0 Do', `${FORM} /Resources << /XObject << /X0 ${own(0)} >> >>`))),
    'failed',
    1,
  ],
  [
    'have pages of two billion points, of 1 by 14,400 points and of negative size',
    makePdf({
      pages: ['0 0 2147483647 2147483647', '0 0 1 14400', '0 0 -5 1e38'].map((box) => ({ mediaBox: `[${box}]` })),
    }),
    'ready',
    3,
  ],
  [
    'claim to have ten billion pages',
    Buffer.from(makePdf({}).toString('latin1').replace('/Count 1', '/Count 9999999999'), 'latin1'),
    'ready',
    1,
  ],
  ['have a table of contents 900 levels deep', deepOutline(900), 'ready', 1],
]

/** Files that are not valid documents. */
const refused: [what: string, pdf: Buffer][] = [
  ['are truncated', numberedPages(3).subarray(0, 300)],
  ['are only a header', Buffer.from('%PDF-1.7\n')],
  ['nest half a million arrays', Buffer.from(`%PDF-1.7\n1 0 obj ${'['.repeat(500_000)}\ntrailer << /Root 1 0 R >>`)],
  [
    'nest 200,000 dictionaries',
    Buffer.from(`%PDF-1.7\n1 0 obj ${'<< /A '.repeat(200_000)}\ntrailer << /Root 1 0 R >>`),
  ],
]

describePublications('Hostile documents', { on: oneDatabase }, async ({ service }) => {
  for (const [what, pdf, status, pages] of opened) {
    test(`that ${what} become ${status}, and the next document is rendered`, async () => {
      const { slug } = await publishPdf(service, { pdf })
      const ended = await untilRendered(service, slug)
      const next = await untilRendered(service, (await publishPdf(service)).slug)

      assert.deepEqual([ended.status, ended.page_count], [status, pages])
      assert.equal(next.status, 'ready')
    })
  }

  for (const [what, pdf] of refused) {
    test(`that ${what} are refused with a reason`, async () => {
      const response = await service.request('POST', '/publications', await uploadPdf(service, { pdf }))

      const problem = (await readProblem(response, 422, 'UNPROCESSABLE')) as unknown as { reason: string }
      assert.equal(problem.reason, 'not_a_pdf')
    })
  }

  test('that name addresses to load, open or submit to cause no request to them', async (t) => {
    const asked: (string | undefined)[] = []
    const elsewhere = createServer((request, response) => {
      asked.push(request.url)
      response.end()
    }).listen(0, '127.0.0.1')
    t.after(() => elsewhere.close())
    await new Promise((resolve) => elsewhere.once('listening', resolve))
    const at = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    const action = (kind: string) => `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S ${kind} >> >>`
    const external = `<< /Length 0 /F << /FS /URL /F (${at}/stream) >> ${FORM} >>\nstream\n\nendstream`
    const { pages, ...parts } = drawing(external)
    const pdf = makePdf({
      ...parts,
      catalog: `/OpenAction << /S /URI /URI (${at}/open) >> /URI << /Base (${at}/) >>`,
      pages: [
        {
          ...pages[0],
          annotations: [
            action(`/GoToR /F (${at}/other.pdf) /D [0 /Fit]`),
            action(`/SubmitForm /F (${at}/form)`),
            action(`/ImportData /F (${at}/data)`),
            action('/URI /URI (javascript:alert\\(1\\))'),
          ],
        },
      ],
    })

    const { slug } = await publishPdf(service, { pdf })
    await untilRendered(service, slug)
    const page = await answer<{ links: unknown[] }>(await service.request('GET', `/publications/${slug}/pages/1`), 200)
    const html = await (await fetch(`${service.url}/p/${slug}`)).text()

    assert.deepEqual(asked, [])
    assert.deepEqual(page.links, [])
    assert.equal(html.includes(at) || html.includes('javascript:'), false)
  })
})
