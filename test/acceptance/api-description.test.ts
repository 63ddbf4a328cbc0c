import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { OpenAPIV3_1 } from 'openapi-types'
import { databases } from '../support/databases.ts'
import { describedOperations } from '../support/described-operations.ts'
import { makePoints } from '../support/make-points.ts'
import { startProgram } from './start-program.ts'

/** Operations that require a token or key. */
const TOKEN_ENDPOINTS = [
  'DELETE /collections/{collectionId}',
  'DELETE /publications/webhooks/{webhookId}',
  'DELETE /publications/{slug}',
  'DELETE /publications/{slug}/links/{linkId}',
  'DELETE /publications/{slug}/versions/{versionId}',
  'DELETE /tracks/{id}',
  'DELETE /webhooks/{webhookId}',
  'GET /collections',
  'GET /events/{id}/results',
  'GET /publications',
  'GET /publications/webhooks',
  'GET /publications/webhooks/{webhookId}/deliveries',
  'GET /publications/{slug}/links',
  'GET /publications/{slug}/offline',
  'GET /publications/{slug}/versions',
  'GET /publications/{slug}/versions/{versionId}/changes',
  'GET /tracks',
  'GET /tracks/{id}',
  'GET /tracks/{id}/export',
  'GET /tracks/{id}/points',
  'GET /webhooks',
  'GET /webhooks/{webhookId}/deliveries',
  'PATCH /collections/{collectionId}',
  'PATCH /publications/webhooks/{webhookId}',
  'PATCH /publications/{slug}',
  'PATCH /publications/{slug}/links/{linkId}',
  'PATCH /tracks/{id}',
  'PATCH /webhooks/{webhookId}',
  'POST /collections',
  'POST /publications',
  'POST /publications/upload-url',
  'POST /publications/webhooks',
  'POST /publications/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  'POST /publications/webhooks/{webhookId}/secret',
  'POST /publications/webhooks/{webhookId}/test',
  'POST /publications/{slug}/file/comparison',
  'POST /publications/{slug}/links',
  'POST /publications/{slug}/publish',
  'POST /publications/{slug}/unpublish',
  'POST /publications/{slug}/versions/{versionId}/restore',
  'POST /sync',
  'POST /tracks',
  'POST /tracks/import',
  'POST /tracks/{id}/finish',
  'POST /tracks/{id}/points',
  'POST /webhooks',
  'POST /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
  'POST /webhooks/{webhookId}/secret',
  'POST /webhooks/{webhookId}/test',
  'PUT /publications/{slug}/file',
]

/** Operations open to everyone, by nature or because the address itself grants access. */
const OPEN_ENDPOINTS = [
  'GET /in/{token}/gpslogger',
  'GET /in/{token}/osmand',
  'GET /in/{token}/traccar',
  'GET /maps/{file}',
  'GET /oembed',
  'GET /publications/{slug}',
  'GET /publications/{slug}/attachments/{id}',
  'GET /publications/{slug}/download',
  'GET /publications/{slug}/events',
  'GET /publications/{slug}/iiif/manifest.json',
  'GET /publications/{slug}/images',
  'GET /publications/{slug}/pages/{page}',
  'GET /publications/{slug}/pdf',
  'GET /publications/{slug}/search',
  'PATCH /uploads/{storageKey}',
  'POST /in/{token}/gpslogger',
  'POST /in/{token}/osmand',
  'POST /in/{token}/overland',
  'POST /in/{token}/owntracks',
  'POST /in/{token}/traccar',
  'POST /publications/{slug}/reading',
  'PUT /uploads/{storageKey}',
]

type Document = OpenAPIV3_1.Document

for (const database of databases.slice(0, 1)) {
  describe('GET /openapi.json', async () => {
    const { process, request, tracks } = await startProgram({ after }, database)
    const document = (await (await fetch(`${process.url}/openapi.json`)).json()) as Document
    const operations = describedOperations(document).map((operation) => ({
      ...operation,
      name: `${operation.method.toUpperCase()} ${operation.path}`,
    }))
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'api', ...document })

    test('is an OpenAPI 3.1 document with the address of the server', () => {
      assert.match(document.openapi, /^3\.1\.\d+$/)
      for (const member of ['title', 'version'] as const) assert.equal(typeof document.info[member], 'string')
      assert.deepEqual(document.servers, [{ url: process.url }])
    })

    test('describes every endpoint with a unique operationId', () => {
      const names = operations.map(({ name }) => name).filter((name) => !isOfDashboard(name))
      const ids = operations.map(({ operationId }) => operationId)

      assert.deepEqual(names.sort(), [...TOKEN_ENDPOINTS, ...OPEN_ENDPOINTS].sort())
      assert.equal(new Set(ids).size, operations.length)
      for (const { summary, tags, name } of operations) assert.ok(summary && tags?.length, name)
    })

    test('declares the parameters of every path', () => {
      for (const { name, parameters = [] } of operations) {
        const inPath = parameters.filter(
          (parameter): parameter is OpenAPIV3_1.ParameterObject => 'in' in parameter && parameter.in === 'path',
        )

        assert.deepEqual(
          inPath.map((parameter) => ({ name: parameter.name, required: parameter.required })),
          [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => ({ name: parameter, required: true })),
        )
      }
    })

    test('has no dangling reference', () => {
      const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path)

      for (const path of new Set(references)) {
        const target = path
          .split('/')
          .reduce((part: unknown, key) => (part as Record<string, unknown>)?.[key], document)
        assert.equal(typeof target, 'object', path)
      }
    })

    test('has valid JSON Schemas, and a description and schema for every response', () => {
      for (const { name, responses = {}, requestBody } of operations) {
        assert.ok(
          Object.keys(responses).some((status) => /^[23]/.test(status)),
          name,
        )
        const bodies = [requestBody, ...Object.values(responses)] as OpenAPIV3_1.ResponseObject[]
        for (const body of bodies.filter((one) => one !== undefined)) {
          for (const { schema } of Object.values(body.content ?? {})) assert.equal(ajv.validateSchema(schema!), true)
        }
        for (const response of Object.values(responses)) assert.ok('$ref' in response || response.description !== '')
      }
    })

    test('declares for every endpoint whether it needs a token, a session or nothing', () => {
      for (const { name, security = document.security } of operations) {
        if (TOKEN_ENDPOINTS.includes(name)) assertNeedsToken(security, name)
        if (OPEN_ENDPOINTS.includes(name)) assert.deepEqual(security, [], name)
      }
      assert.deepEqual(Object.keys(document.components!.securitySchemes!).sort(), ['ApiKey', 'Bearer', 'Session'])
    })

    test('documents the actual responses', async () => {
      const id = await tracks.sync({ points: makePoints(3, undefined, { altitude: 5 }), stats: { duration_sec: 9 } })
      const answers: [operation: string, response: Response][] = [
        ['GET /tracks/{id}', await request('GET', `/tracks/${id}`)],
        ['GET /tracks/{id}/points', await request('GET', `/tracks/${id}/points`)],
        ['GET /tracks', await request('GET', '/tracks')],
        ['POST /tracks', await request('POST', '/tracks', { device_track_id: 'described' })],
        ['PATCH /tracks/{id}', await request('PATCH', `/tracks/${id}`, { title: 'Described' })],
        ['POST /tracks/{id}/finish', await request('POST', `/tracks/${id}/finish`)],
      ]

      for (const [name, response] of answers) {
        const pointer = `${name.split(' ')[1].replaceAll('/', '~1')}/${name.split(' ')[0].toLowerCase()}`
        const validate = ajv.getSchema(
          `api#/paths/${pointer}/responses/${response.status}/content/application~1json/schema`,
        )!
        assert.ok(validate(await response.json()), `${name}: ${ajv.errorsText(validate.errors)}`)
      }
    })
  })
}

/** Operations of the dashboard and of shares. */
function isOfDashboard(name: string): boolean {
  return / \/(?:operator|shares)\//.test(name)
}

/** Checks that an operation accepts a token in both headers, and names the one permission that it needs. */
function assertNeedsToken(security: OpenAPIV3_1.SecurityRequirementObject[] | undefined, name: string): void {
  const [permission] = security?.[0]?.ApiKey ?? []
  assert.match(permission ?? '', /^(record|read|manage|publish)$/, name)
  assert.deepEqual(security, [{ ApiKey: [permission] }, { Bearer: [permission] }], name)
}
