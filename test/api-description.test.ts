import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { OpenAPIV3_1 } from 'openapi-types'
import { openApiDocuments } from '../scripts/docs/open-api-documents.ts'
import { toOpenApi30 } from '../src/platform/reference/serve-document.ts'
import { PUBLICATION_EVENTS } from '../src/publications/model/publication-json.ts'
import { TRACK_EVENTS } from '../src/tracks/model/track-state.ts'
import { type DescribedOperation, describedOperations, resolveReferences } from './support/described-operations.ts'

const PARTS = ['tracks', 'publications', 'dashboard'] as const
const texts = await openApiDocuments(PARTS)
const documentOf = (part: (typeof PARTS)[number]) =>
  JSON.parse(texts[`docs/api/${part}.openapi.json`]) as OpenAPIV3_1.Document

/**
 * Operations that need neither token nor session: they get or end a session, use a signed address, or are anonymous.
 */
const OPEN_OPERATIONS = [
  'signIn',
  'signInWithSecondFactor',
  'signInWithPasskeyOptions',
  'signInWithPasskey',
  'signInWithProviderAddress',
  'signInWithProvider',
  'signOutByProvider',
  'signOut',
  'checkSignInLink',
  'redeemSignInLink',
  'uploadFile',
  'uploadFilePart',
  'reportReading',
  'addOsmAndPoints',
  'addTraccarClientPoints',
  'addGPSLoggerPoints',
  'addOverlandPoints',
  'addOwnTracksPoints',
]

/** `createTrack`, `operatorListEvents`: a verb first, then what it acts on. */
const OPERATION_ID =
  /^(operator(?=[A-Z]))?(add|change|check|confirm|create|delete|download|end|export|finish|get|import|list|publish|redeem|redeliver|reopen|replace|report|restore|revoke|rotate|run|search|sign|sync|test|unpublish|update|upload|watch)[A-Z]\w+$/i

const rules = {
  // The address is a setting; without one it is the local machine.
  'no-server-example.com': 'off',
  // A redirect is a success as well.
  'operation-2xx-response': 'off',
  'operation-operationId': 'error',
  'operation-operationId-unique': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-schema-examples': 'error',
} as const
/**
 * Generators read `nullable` beside a reference; by the letter of 3.0 the referenced schema would have to allow null.
 */
const rules30 = {
  ...rules,
  'no-invalid-media-type-examples': 'off',
  'no-invalid-schema-examples': 'off',
  // 3.0 has no place for the requests of webhooks; their schemas stay, for generators to make types of.
  'no-unused-components': 'off',
} as const

/** Addresses of webhooks look like those of a publication with the slug `webhooks`, which none gets. */
function isFault(finding: string): boolean {
  return !(finding.startsWith('no-ambiguous-paths') && finding.includes('`/publications/webhooks/{webhookId}`'))
}

for (const part of PARTS) {
  describe(`the API description of ${part}`, () => {
    const document = documentOf(part)
    const operations = describedOperations(resolveReferences(document))
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ ...document, $id: 'api' })

    const versions = [
      { version: '3.1', text: JSON.stringify(document), rules },
      { version: '3.0.3', text: JSON.stringify(toOpenApi30(document)), rules: rules30 },
    ]
    for (const { version, text, rules } of versions) {
      test(`has no lint findings as OpenAPI ${version}`, async () => {
        const config = await createConfig({ extends: ['recommended'], rules })

        const problems = await lintFromString({ source: text, config })

        const found = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
        assert.deepEqual(found.filter(isFault), [])
      })
    }

    test('names every object', () => {
      const unnamed = namelessObjects(document.paths, '/paths').concat(
        ...Object.entries(document.components?.schemas ?? {}).flatMap(([name, schema]) =>
          Object.entries((schema as { properties?: object }).properties ?? {}).map(([field, value]) =>
            namelessObjects(value, `${name}.${field}`),
          ),
        ),
      )

      assert.deepEqual(unnamed, [])
    })

    test('has an example for every JSON body, which its schema allows', () => {
      const items = Object.entries({ paths: document.paths, webhooks: document.webhooks }).flatMap(([section, items]) =>
        Object.entries(items ?? {}).map(([path, item]) => ({ section, path, item })),
      )
      for (const { section, path, item } of items) {
        for (const [method, operation] of Object.entries(item ?? {})) {
          for (const [place, media] of jsonBodies(operation as OpenAPIV3_1.OperationObject)) {
            const name = `${method} ${path} ${place}`
            const pointer = `#/${section}/${pointerToken(path)}/${method}/${place}/content/application~1json/schema`
            const validate = ajv.getSchema(`api${pointer}`)!
            assert.notEqual(media.example, undefined, name)
            assert.ok(validate(media.example), `${name}: ${ajv.errorsText(validate.errors)}`)
          }
        }
      }
    })

    test('names operations in one manner', () => {
      assert.deepEqual(
        operations.map(({ operationId }) => operationId).filter((id) => !OPERATION_ID.test(id)),
        [],
      )
    })

    test('refers to named error answers', () => {
      for (const [path, item] of Object.entries(document.paths ?? {})) {
        for (const [method, operation] of Object.entries(item ?? {})) {
          const { responses } = operation as OpenAPIV3_1.OperationObject
          for (const [status, response] of Object.entries(responses ?? {}))
            if (/^[45]/.test(status)) assert.deepEqual(Object.keys(response), ['$ref'], `${method} ${path} ${status}`)
        }
      }
    })

    test('says of every secured operation what it answers without a token or session', () => {
      for (const { operationId, responses } of operations.filter(isSecured)) {
        const unauthorized = responses?.[401] as OpenAPIV3_1.ResponseObject | undefined
        const problem = unauthorized?.content?.['application/problem+json'] as { 'x-codes': string[] } | undefined
        assert.deepEqual(problem?.['x-codes'], ['UNAUTHORIZED'], operationId)
      }
    })

    test('leaves only reading, and what has a reason of its own, without security', () => {
      for (const { operationId, method } of operations.filter((operation) => !isSecured(operation)))
        assert.ok(method === 'get' || OPEN_OPERATIONS.includes(operationId), operationId)
    })

    test('explains every parameter', () => {
      for (const { operationId, parameters = [] } of operations)
        for (const { name, description } of parameters as OpenAPIV3_1.ParameterObject[])
          assert.ok(description, `${operationId}: ${name}`)
    })
  })
}

test('the requests of webhooks are described by type', () => {
  const typesOf = (part: (typeof PARTS)[number]) =>
    Object.values(resolveReferences(documentOf(part)).webhooks ?? {}).map((item) => {
      const { requestBody } = (item as OpenAPIV3_1.PathItemObject).post!
      const { schema } = (requestBody as OpenAPIV3_1.RequestBodyObject).content['application/json']
      return (schema as { properties: { type: { const: string } } }).properties.type.const
    })

  assert.deepEqual(typesOf('tracks'), [...TRACK_EVENTS, 'webhook.test'])
  assert.deepEqual(typesOf('publications'), [...PUBLICATION_EVENTS, 'webhook.test'])
  assert.deepEqual(typesOf('dashboard'), [])
})

function isSecured({ security = [] }: DescribedOperation): boolean {
  return security.length > 0
}

function jsonBodies({ requestBody, responses = {} }: OpenAPIV3_1.OperationObject) {
  const bodies = Object.entries({ requestBody, ...prefixed(responses) }) as [string, OpenAPIV3_1.ResponseObject][]
  return bodies.flatMap(([place, body]) => {
    const media = body?.content?.['application/json']
    return media?.schema === undefined ? [] : [[place, media] as const]
  })
}

function prefixed(responses: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, response]) => [`responses/${status}`, response]),
  )
}

/**
 * Places of objects with fields of their own that are no reference to a component: a generator has to invent a name.
 */
function namelessObjects(value: unknown, place: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  if ('properties' in value && 'type' in value) return [place]
  return Object.entries(value)
    .filter(([key]) => !['example', 'examples', 'enum'].includes(key))
    .flatMap(([key, member]) => namelessObjects(member, `${place}/${key}`))
}

function pointerToken(path: string): string {
  return encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))
}
