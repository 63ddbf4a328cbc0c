import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { OpenAPIV3_1 } from 'openapi-types'
import { databases } from '../support/databases.ts'
import { type DescribedOperation, describedOperations } from '../support/described-operations.ts'
import { annotated, numberedPages } from '../support/make-pdf-examples.ts'
import { makeFit } from '../support/make-recordings.ts'
import { type Program, sender, startProgram } from './start-program.ts'

type Fields = Record<string, unknown>
/** What an operation needs that no example can hold: ids and keys of what exists, made just before. */
type Given = {
  path?: Fields
  body?: Fields
  query?: Fields
  address?: string
  file?: { bytes: Buffer; method: string; type: string; headers?: Record<string, string> }
}

/** Operations whose address carries the token. */
const PHONE_OPERATIONS = [
  ...['OsmAnd', 'TraccarClient', 'GPSLogger'].flatMap((app) => [`add${app}Points`, `add${app}PointsByQuery`]),
  'addOverlandPoints',
  'addOwnTracksPoints',
]

const PDF = { 'Content-Type': 'application/pdf' }

for (const database of databases.slice(0, 1)) {
  describe('The examples of the API description', async () => {
    const program = await startProgram({ after }, database, { PUBLICATIONS_RATE_LIMIT: '0' })
    const { url, apiKey } = program.process
    const managerToken = await program.installation.managerToken()
    const make = makers(program, managerToken)

    for (const [part, key] of [
      // The first token of an event does not delete.
      ['tracks', managerToken],
      ['publications', apiKey],
    ]) {
      const document = (await (await fetch(`${url}/${part}.openapi.json`)).json()) as OpenAPIV3_1.Document
      const ajv = new Ajv2020({ strict: false, validateFormats: false })
      ajv.addSchema({ ...document, $id: 'api' })
      const send = sender(url, key)

      for (const operation of describedOperations(document)) {
        const { operationId, method, path } = operation

        test(`${operationId} works as its example shows`, async () => {
          const { address, given } = await fill(operation)

          const response =
            given.file === undefined
              ? await send(method.toUpperCase(), address, bodyOf(operation, given))
              : await sendFile(new URL(address, url), key, given.file)

          const shown = response.redirected ? '302' : String(response.status)
          const documented = operation.responses?.[shown] as OpenAPIV3_1.ResponseObject | undefined
          const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
          const text = isStream ? await firstEvent(response) : await response.text()
          assert.match(shown, /^[23]/, `${method} ${path}: ${text}`)
          assert.notEqual(documented, undefined, `${method} ${path} answers ${shown}, which is not described`)
          const media = documented!.content?.['application/json']
          if (media === undefined) return
          const pointer = encodeURIComponent(path.replaceAll('/', '~1'))
          const schema = `api#/paths/${pointer}/${method}/responses/${shown}/content/application~1json/schema`
          const validate = ajv.getSchema(schema)!
          assert.ok(validate(JSON.parse(text)), `${operationId}: ${ajv.errorsText(validate.errors)}`)
        })

        async function fill({ parameters = [] }: DescribedOperation) {
          const given = (await make[operationId]?.()) ?? {}
          const known = parameters as (OpenAPIV3_1.ParameterObject & { schema?: { examples?: unknown[] } })[]
          const shown = (parameter: (typeof known)[number]) => parameter.example ?? parameter.schema?.examples?.[0]
          const place = path.replace(/\{(\w+)\}/g, (_, name: string) =>
            String(given.path?.[name] ?? shown(known.find((one) => one.name === name)!)),
          )
          const query = known
            .filter((parameter) => parameter.in === 'query' && shown(parameter) !== undefined)
            .map((parameter) => [parameter.name, String(given.query?.[parameter.name] ?? shown(parameter))])
          return {
            given,
            address: given.address ?? `${place}${query.length === 0 ? '' : `?${new URLSearchParams(query)}`}`,
          }
        }
      }
    }
  })
}

async function sendFile(
  address: URL,
  key: string,
  { bytes, method, type, headers: further }: NonNullable<Given['file']>,
) {
  const headers = { 'Content-Type': type, 'X-API-Key': key, ...further }
  return await fetch(address, { method, headers, body: new Uint8Array(bytes) })
}

/** The example body, with the fields that name something that exists. */
function bodyOf({ requestBody }: DescribedOperation, given: Given): unknown {
  const example = (requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content['application/json']?.example
  if (example === undefined) return undefined
  const { track, ...body } = (given.body ?? {}) as { track?: Fields }
  return { ...example, ...body, ...(track && { track: { ...example.track, ...track } }) }
}

async function firstEvent(response: Response): Promise<string> {
  const reader = response.body!.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder().decode(value)
}

/** For each operation that works on something: makes it, and names it. */
function makers(
  { installation, process, tracks }: Program,
  managerToken: string,
): Record<string, () => Promise<Given>> {
  const publish = sender(process.url, process.apiKey)
  const eventId = async () => {
    const { answer } = await installation.admin('events', 'list')
    return (answer as { id: string }[])[0].id
  }
  const onTrack = async () => ({ path: { id: await tracks.create() } })

  async function upload(pdf = numberedPages(2)): Promise<{ storageKey: string; pdfPath: string }> {
    const asked = await publish('POST', '/publications/upload-url', { type: 'pdf' })
    const { uploadUrl, storageKey, pdfPath } = (await asked.json()) as Record<string, string>
    await fetch(uploadUrl, { method: 'PUT', headers: PDF, body: new Uint8Array(pdf) })
    return { storageKey, pdfPath }
  }

  async function publication(pdf?: Buffer): Promise<string> {
    const body = { title: 'An example', ...(await upload(pdf)), sourceType: 'pdf' }
    const created = (await (await publish('POST', '/publications', body)).json()) as { slug: string }
    return created.slug
  }

  async function isProcessing(slug: string): Promise<boolean> {
    const response = await publish('GET', `/publications/${slug}`)
    return ((await response.json()) as { status: string }).status === 'processing'
  }

  const onPublication = async (more: Given = {}) => ({
    ...more,
    path: { slug: await publication(), ...more.path },
  })
  async function uploadUrl(): Promise<string> {
    const asked = await publish('POST', '/publications/upload-url', { type: 'pdf' })
    return ((await asked.json()) as { uploadUrl: string }).uploadUrl
  }
  /** On the former version of a publication whose file was replaced. */
  const onVersion = async () => {
    const { path } = await onPublication()
    while (await isProcessing(path.slug)) await sleep(50)
    await publish('PUT', `/publications/${path.slug}/file`, await upload())
    while (await isProcessing(path.slug)) await sleep(50)
    const listed = await publish('GET', `/publications/${path.slug}/versions`)
    const { versions } = (await listed.json()) as { versions: { id: string }[] }
    return { path: { ...path, versionId: versions[1].id } }
  }
  const onCollection = async () => {
    const made = await publish('POST', '/collections', { name: 'An example' })
    return { path: { collectionId: ((await made.json()) as { id: string }).id } }
  }
  return {
    getTrack: onTrack,
    updateTrack: async () => ({ path: { id: await tracks.create({ start_ts: '2026-05-03T08:15:00+02:00' }) } }),
    deleteTrack: onTrack,
    ...webhookMakers(sender(process.url, managerToken), '/webhooks', (name) => name),
    ...webhookMakers(publish, '/publications/webhooks', (name) => name.replace('Webhook', 'PublicationWebhook')),
    finishTrack: onTrack,
    listPoints: onTrack,
    exportTrack: onTrack,
    getResults: async () => ({ path: { id: await eventId() } }),
    addPoints: onTrack,
    ...Object.fromEntries(PHONE_OPERATIONS.map((name) => [name, async () => ({ path: { token: process.token } })])),
    // The example of `createTrack` has made a track with this identifier.
    syncTrack: async () => ({ body: { track: { device_track_id: 'synced' } } }),
    importTracks: async () => ({ file: { bytes: makeFit(), method: 'POST', type: 'application/vnd.ant.fit' } }),
    createPublication: async () => ({ body: await upload() }),
    // The slug of the example belongs to the publication that the example of `createPublication` made.
    updatePublication: () => onPublication({ body: { slug: 'renamed' } }),
    deletePublication: () => onPublication(),
    unpublishPublication: () => onPublication(),
    publishPublication: () => onPublication(),
    replacePublicationFile: async () => onPublication({ body: await upload() }),
    getPublication: () => onPublication(),
    getPublicationPdfUrl: () => onPublication(),
    getPublicationImages: () => onPublication(),
    getPublicationManifest: () => onPublication(),
    getPublicationAttachment: async () => ({ path: { slug: await publication(annotated()), id: '1' } }),
    exportPublication: async () => {
      const given = await onPublication()
      const ask = async () => await publish('HEAD', `/publications/${given.path.slug}/offline`)
      while ((await ask()).status === 409) await sleep(50)
      return given
    },
    downloadPublicationPdf: () => onPublication(),
    watchPublication: () => onPublication(),
    updateReaderLink: async () => {
      const { path } = await onPublication()
      const made = await publish('POST', `/publications/${path.slug}/links`, {})
      return { path: { ...path, linkId: ((await made.json()) as { id: string }).id } }
    },
    revokeReaderLink: async () => {
      const { path } = await onPublication()
      const made = await publish('POST', `/publications/${path.slug}/links`, {})
      return { path: { ...path, linkId: ((await made.json()) as { id: string }).id } }
    },
    updateCollection: async () => ({ ...(await onCollection()), body: { slug: 'of-an-example' } }),
    deleteCollection: onCollection,
    checkPublicationFile: async () => onPublication({ body: await upload() }),
    getVersionChanges: onVersion,
    publishVersion: onVersion,
    deleteVersion: onVersion,
    getPublicationPage: async () => {
      const given = await onPublication({ path: { page: 1 } })
      while (await isProcessing(given.path.slug)) await sleep(50)
      return given
    },
    searchPublication: () => onPublication(),
    reportReading: () => onPublication(),
    getOembed: async () => ({ query: { url: `${process.url}/p/${await publication()}` } }),
    uploadFile: async () => ({
      address: await uploadUrl(),
      file: { bytes: numberedPages(1), method: 'PUT', type: 'application/pdf' },
    }),
    uploadFilePart: async () => ({
      address: await uploadUrl(),
      file: {
        bytes: numberedPages(1),
        method: 'PATCH',
        type: 'application/offset+octet-stream',
        headers: { 'Tus-Resumable': '1.0.0', 'Upload-Offset': '0' },
      },
    }),
  }
}

/** Makers for the operations on webhooks, which both services have. */
function webhookMakers(
  send: ReturnType<typeof sender>,
  path: string,
  operationId: (name: string) => string,
): Record<string, () => Promise<Given>> {
  async function onWebhook() {
    const created = await send('POST', path, { url: 'https://example.org/hook' })
    const { id } = (await created.json()) as { id: string }
    return { path: { webhookId: id } }
  }
  async function onDelivery() {
    const { webhookId } = (await onWebhook()).path
    const tested = await send('POST', `${path}/${webhookId}/test`)
    const { id } = (await tested.json()) as { id: string }
    return { path: { webhookId, deliveryId: id } }
  }
  const names = ['updateWebhook', 'deleteWebhook', 'rotateWebhookSecret', 'testWebhook', 'listWebhookDeliveries']
  return Object.fromEntries([
    ...names.map((name) => [operationId(name), onWebhook]),
    [operationId('redeliverWebhook'), onDelivery],
  ])
}
