import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { resolveReferences } from '../../../test/support/described-operations.ts'
import { type Document, nameComponents, toOpenApi30 } from './serve-document.ts'

const mast = { type: 'object', title: 'Mast', properties: { height: { type: 'number', examples: [12] } } }

/** A document whose operations answer 200 with these schemas, at `/0`, `/1` and so on. */
function documentOf(...schemas: object[]): Document {
  const paths = schemas.map((schema, i) => [
    `/${i}`,
    { get: { operationId: `get${i}`, responses: { 200: { content: { 'application/json': { schema } } } } } },
  ])
  const info = { title: 'Boats', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } }
  return { openapi: '3.1.0', info, paths: Object.fromEntries(paths) } as Document
}

/** The schema of the answer at `/0`. */
function schemaOf(document: object): object {
  const { paths } = document as { paths: Record<string, { get: { responses: Record<string, { content: object }> } }> }
  return (paths['/0'].get.responses[200].content as Record<string, { schema: object }>)['application/json'].schema
}

describe('nameComponents', () => {
  test('leaves one definition of a schema that has a title', () => {
    const named = nameComponents(documentOf(mast, { type: 'array', items: mast }))

    assert.deepEqual(named.components?.schemas, { Mast: mast })
    assert.deepEqual(schemaOf(named), { $ref: '#/components/schemas/Mast' })
  })

  test('keeps null beside the reference of a schema that allows it', () => {
    const named = nameComponents(documentOf({ ...mast, type: ['object', 'null'], examples: [null] }))

    assert.deepEqual(named.components?.schemas, { Mast: mast })
    assert.deepEqual(schemaOf(named), { anyOf: [{ $ref: '#/components/schemas/Mast' }, { type: 'null' }] })
  })

  test('takes the title of an example for no title of a schema', () => {
    const schema = {
      type: 'object',
      properties: { title: { type: 'string' } },
      examples: [{ title: 'Gull', type: 'x' }],
    }

    const named = nameComponents(documentOf(schema))

    assert.deepEqual(schemaOf(named), schema)
  })

  test('refuses two different schemas with one title', () => {
    assert.throws(() => nameComponents(documentOf(mast, { ...mast, description: 'Other.' })), /the title Mast/)
  })

  test('names an error answer that operations share after its code', () => {
    const document = documentOf(mast, mast)
    const sunk = { description: 'It sank.', content: { 'application/problem+json': { 'x-codes': ['SUNK_BOAT'] } } }
    for (const path of ['/0', '/1']) Object.assign(document.paths![path]!.get!.responses!, { 410: sunk })

    const named = nameComponents(document)

    assert.deepEqual(named.components?.responses, { SunkBoat: sunk })
    assert.deepEqual(named.paths!['/1']!.get!.responses![410], { $ref: '#/components/responses/SunkBoat' })
  })

  test('adds an example that the schema adds up to', () => {
    const named = nameComponents(documentOf(mast))

    const media = Object.values((named.paths!['/0']!.get!.responses![200] as { content: object }).content)
    assert.deepEqual(media[0].example, { height: 12 })
  })

  test('can be undone for a reader that follows no references', () => {
    const resolved = resolveReferences(nameComponents(documentOf({ type: 'array', items: mast })))

    assert.deepEqual(schemaOf(resolved), { type: 'array', items: mast })
  })
})

describe('toOpenApi30', () => {
  test('says null, constants and examples in the words of 3.0', () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: ['string', 'null'], enum: ['a', null], examples: ['a'] },
        kind: { const: 'boat' },
        mast: { anyOf: [{ $ref: '#/components/schemas/Mast' }, { type: 'null' }] },
        length: { type: ['string', 'number'] },
      },
    }

    const { properties } = schemaOf(toOpenApi30(documentOf(schema))) as { properties: object }

    assert.deepEqual(properties, {
      name: { type: 'string', enum: ['a', null], nullable: true, example: 'a' },
      kind: { enum: ['boat'] },
      mast: { type: 'object', allOf: [{ $ref: '#/components/schemas/Mast' }], nullable: true },
      length: {},
    })
  })

  test('names the licence by its address', () => {
    const { openapi, info } = toOpenApi30(documentOf(mast)) as { openapi: string; info: { license: object } }

    assert.equal(openapi, '3.0.3')
    assert.deepEqual(info.license, { name: 'Apache-2.0', url: 'https://spdx.org/licenses/Apache-2.0' })
  })
})
