import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oneDatabase } from '../support/databases.ts'
import { describePublications } from '../support/describe-service.ts'
import { findAll, findOne, type HtmlElement, textOf } from '../support/html-tree.ts'
import { type MadeElement, taggedPdf } from '../support/make-tagged-pdf.ts'
import { readPage } from '../support/public-pages.ts'
import { publishPdf, untilRendered } from '../support/publish.ts'

const element = (type: string, ...content: MadeElement['content']): MadeElement => ({ type, content })

describePublications('The text of a tagged PDF', { on: oneDatabase }, async ({ service }) => {
  async function publishRendered(pdf: Buffer) {
    const { slug } = await publishPdf(service, { pdf })
    return await untilRendered(service, slug)
  }

  /** Publishes a document, and returns the text of its first page in the public page. */
  async function textBlock(pdf: Buffer): Promise<HtmlElement> {
    const { slug } = await publishRendered(pdf)
    const { page } = await readPage(service, `/p/${slug}`)
    return findAll(page, 'div', { class: 'text' })[0]
  }

  test('has headings below that of the page, in the order of the file', async () => {
    const pdf = taggedPdf(
      ['A paragraph', 'The report', 'Details'],
      [element('Document', element('H1', 1), element('P', 0), element('H2', 2))],
    )

    const text = await textBlock(pdf)

    assert.deepEqual(shapeOf(text), ['h3 The report', 'p A paragraph', 'h4 Details'])
  })

  test('has lists and tables', async () => {
    const list = element('L', element('LI', element('LBody', 0)), element('LI', element('LBody', 1)))
    const wide: MadeElement = { type: 'TD', entries: '/A << /O /Table /ColSpan 2 >>', content: [4] }
    const rows = [element('TR', element('TH', 2), element('TH', 3)), element('TR', wide)]
    const pdf = taggedPdf(['One', 'Two', 'Year', 'Sales', 'None yet'], [list, element('Table', ...rows)])

    const text = await textBlock(pdf)

    const items = findAll(findOne(text, 'ul'), 'li').map(textOf)
    assert.deepEqual(items, ['One', 'Two'])
    const headers = findAll(text, 'th').map(({ attributes }) => attributes.scope)
    assert.deepEqual(headers, ['col', 'col'])
    assert.equal(findOne(text, 'td').attributes.colspan, '2')
  })

  test('describes figures for those who do not see them, and finds the description', async () => {
    const figure: MadeElement = { type: 'Figure', entries: '/Alt (A cat on a wall)', content: [1] }
    const pdf = taggedPdf(['Some text', '^..^'], [element('P', 0), figure])
    const { slug } = await publishRendered(pdf)

    const { page } = await readPage(service, `/p/${slug}`)
    const found = await service.request('GET', `/publications/${slug}/search?q=cat`)

    assert.equal(textOf(findOne(page, 'figcaption')), 'A cat on a wall')
    const { hits } = (await found.json()) as { hits: number }
    assert.equal(hits, 1)
  })

  test('states the language of foreign passages', async () => {
    const foreign: MadeElement = { type: 'P', entries: '/Lang (de)', content: [1] }
    const pdf = taggedPdf(['English words', 'Guten Tag'], [element('P', 0), foreign], '/Lang (en)')

    const text = await textBlock(pdf)

    assert.deepEqual(
      findAll(text, 'p').map(({ attributes }) => attributes.lang),
      [undefined, 'de'],
    )
  })

  test('is that of the page if the tree is endless or leads back to itself', async () => {
    let deep = element('Div', 0)
    for (let level = 0; level < 500; level++) deep = element('Div', deep)
    const circle = element('Div', 0)
    const pdf = Buffer.from(
      taggedPdf(['Words'], [circle]).toString('latin1').replace('/K [0]', '/K [11 0 R]'),
      'latin1',
    )

    const texts = [await textBlock(taggedPdf(['Words'], [deep])), await textBlock(pdf)]

    assert.deepEqual(texts.map(shapeOf), [['p Words'], ['p Words']])
  })
})

/** Returns the text of each paragraph after the name of its element. */
function shapeOf(text: HtmlElement): string[] {
  const inner = text.children.find((child) => typeof child !== 'string')!
  return inner.children.filter((child) => typeof child !== 'string').map((child) => `${child.name} ${textOf(child)}`)
}
