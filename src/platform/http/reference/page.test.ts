import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OpenAPIV3_1 } from 'openapi-types'
import { referencePage } from './page.ts'

/** A description with one operation that takes and gives what is told. */
function describedApi(operation: object): OpenAPIV3_1.Document {
  return {
    openapi: '3.1.0',
    info: { title: 'Boats', version: '7', description: 'Hires boats.\n\n## Errors\n\nThey are `problems`.' },
    servers: [{ url: 'https://boats.example.org' }],
    tags: [{ name: 'Boats', description: 'What is hired.' }],
    paths: {
      '/boats/{id}': {
        put: {
          operationId: 'paintBoat',
          summary: 'Paint a boat',
          tags: ['Boats'],
          responses: { 204: { description: 'It is painted.' } },
          ...operation,
        },
      },
    },
  } as OpenAPIV3_1.Document
}

const body = (schema: object) => ({ content: { 'application/json': { schema } } })

/** Returns what a reader of the page sees. */
function text(page: string): string {
  return page
    .replace(/<[^>]+>/g, '')
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
}

describe('referencePage', () => {
  test('shows texts of the description as text, never as HTML', () => {
    const document = describedApi({ summary: '<script>alert(1)</script>', description: 'a "<b>" & `<i>`' })

    const page = referencePage(document, 'style.css')

    assert.doesNotMatch(page, /<script|<b>|<i>/)
    assert.match(page, /&#60;script&#62;/)
    assert.match(page, /a &#34;&#60;b&#62;&#34; &#38; <code>&#60;i&#62;<\/code>/)
  })

  test('gives every field with its type, whether it is required, and its rules', () => {
    const document = describedApi({
      requestBody: body({
        required: ['color'],
        properties: {
          color: { type: 'string', minLength: 1, maxLength: 20, description: 'By name.' },
          coats: { type: ['integer', 'null'], minimum: 1 },
          finish: { type: ['string', 'null'], enum: ['matt', 'gloss', null] },
        },
      }),
    })

    const page = referencePage(document, 'style.css').replace(/<[^>]+>/g, '')

    assert.match(page, /color string required\s+1 to 20 characters\s+By name\./)
    assert.match(page, /coats integer or null\s+at least 1/)
    assert.match(page, /finish string or null\s+one of matt, gloss\s/)
  })

  test('shows the fields of an object below the field that holds it', () => {
    const mast = { type: 'object', properties: { height: { type: 'number' } } }
    const document = describedApi({ requestBody: body({ properties: { masts: { type: 'array', items: mast } } }) })

    const page = referencePage(document, 'style.css')

    assert.match(page, /masts[\s\S]*<ul class="fields"><li>[\s\S]*height/)
  })

  test('explains an object that occurs twice in one place, and links to it', () => {
    const mast = { type: 'object', title: 'Mast', properties: { height: { type: 'number' } } }
    const document = describedApi({ requestBody: body({ properties: { main: mast, mizzen: mast } }) })

    const page = referencePage(document, 'style.css')

    assert.equal(page.match(/height/g)?.length, 1)
    assert.equal(page.match(/<span class="type"><a href="#object-mast">Mast<\/a>/g)?.length, 2)
    assert.match(page, /<h3 id="object-mast">/)
  })

  test('shows a request that a shell understands, with quotes in the body', () => {
    const document = describedApi({
      security: [{ ApiKey: [] }],
      requestBody: body({ properties: { name: { type: 'string', examples: ["Sailor's Rest"] } } }),
    })

    const page = referencePage(document, 'style.css').replaceAll('&#34;', '"').replaceAll('&#39;', "'")

    assert.ok(page.includes('curl -X PUT "https://boats.example.org/boats/$ID" \\\n  -H "X-API-Key: $TOKEN" \\\n'))
    assert.ok(page.includes(`-d '{\n  "name": "Sailor'\\''s Rest"\n}'`))
  })

  test('shows how to send a file, to a path with words in its variables', () => {
    const content = { 'application/pdf': { schema: { type: 'string' } } }
    const document = describedApi({ requestBody: { content } })
    document.paths = { '/plans/{boatPlan}': document.paths!['/boats/{id}'] }

    const page = text(referencePage(document, 'style.css'))

    assert.ok(page.includes('curl -X PUT "https://boats.example.org/plans/$BOAT_PLAN" \\\n'))
    assert.ok(page.includes(`-H 'Content-Type: application/pdf' \\\n  --data-binary "@$FILE"`))
  })

  test('shows an answer that leads elsewhere, and not as an error', () => {
    const document = describedApi({ responses: { 302: { description: 'Redirects to the harbour.' } } })

    const page = text(referencePage(document, 'style.css'))

    assert.match(page, /Response\s+302 Redirects to the harbour\./)
    assert.match(page, /curl -X PUT -LOJ "https/)
  })

  test('says nothing of an answer that nobody has described', () => {
    const document = describedApi({ responses: { 200: { description: 'Default Response' } } })

    assert.doesNotMatch(referencePage(document, 'style.css'), /Default Response/)
  })

  test('names the types of an answer that is a file', () => {
    const content = { 'image/png': {}, 'image/webp': {} }
    const document = describedApi({ responses: { 200: { description: 'A picture.', content } } })

    const page = text(referencePage(document, 'style.css'))

    assert.match(page, /Response 200\s*image\/png, image\/webp/)
  })

  test('lists the errors of an operation by status and code', () => {
    const content = { 'application/problem+json': { 'x-codes': ['SUNK_BOAT'] } }
    const document = describedApi({ responses: { 410: { description: 'It sank.', content } } })

    const page = referencePage(document, 'style.css').replace(/<[^>]+>/g, '')

    assert.match(page, /410\s+SUNK_BOAT\s+It sank\./)
  })

  test('has a place for every link within the page', () => {
    const page = referencePage(describedApi({}), 'style.css')

    const places = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    assert.deepEqual(
      links.filter((id) => !places.has(id)),
      [],
    )
    assert.ok(links.includes('paintBoat') && links.includes('errors'))
  })
})
