import Type, { type Static } from 'typebox'
import { formatDateTime } from '#platform/basics/time.ts'
import { requireCredential } from '#platform/credentials/authentication.ts'
import {
  type CredentialScope,
  createCredential,
  getCredential,
  listCredentials,
  revokeCredential,
  rotateCredential,
} from '#platform/credentials/routes.ts'
import { createFields, credentialFields, credentialJson, keepField, textField } from '#platform/credentials/schemas.ts'
import { maskToken, type TokenLookup } from '#platform/credentials/token.ts'
import { addressGroup } from '#platform/http/client.ts'
import { nullableText } from '#platform/http/field-rules.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { countRequest, type RateLimit } from '#platform/http/rate-limit.ts'
import { keyInvalid, keyMissing, permissionMissing, workspaceNotFound } from '../model/errors.ts'
import { DEFAULT_PERMISSIONS, PERMISSIONS } from '../model/fields.ts'
import { moment, nullableMoment, WORKSPACE_ID, WorkspaceParams } from '../model/schemas.ts'
import type { LibraryDeps } from './library-deps.ts'
import type { NoColumns, OpenedKey, ApiKey as StoredKey } from './workspace-keys.ts'

const KeyParams = Type.Object({
  id: Type.String({ description: "The workspace's `id`.", examples: [WORKSPACE_ID] }),
  keyId: Type.String({ description: "The key's `id`.", examples: ['9f86d081884c7d659a2feaa0c55ad015'] }),
})

const names = {
  noun: 'key',
  permissions: PERMISSIONS,
  permissionsHelp: '`publish` does everything with the workspace, `read` lists its publications.',
}

const { id, label, ...state } = credentialFields({
  ...names,
  defaultPermissions: DEFAULT_PERMISSIONS,
  labelExample: 'Website',
  firstHelp:
    'Whether the workspace began with the key, or it replaced such a one. Only these end when the key is replaced.',
  moment,
})

const keyFields = {
  id,
  label,
  masked: nullableText({
    description: 'Beginning and end of the key; null if it was created with another secret.',
    examples: ['pub_Zm9v…YmFy'],
  }),
  ...state,
}

export const ApiKey = Type.Object(keyFields, { title: 'ApiKey' })
export type ApiKey = Static<typeof ApiKey>

const ApiKeyList = Type.Object({ keys: Type.Array(ApiKey) }, { title: 'ApiKeyList' })

export const ShownApiKey = Type.Object(
  { ...keyFields, api_key: textField('key', 'pub_Zm9vYmFy') },
  { title: 'ShownApiKey' },
)
export type ShownApiKey = Static<typeof ShownApiKey>

const ApiKeyCreate = Type.Object(
  createFields({
    ...names,
    labelExamples: ['Website'],
    choiceHelp: 'What the key may do. Default: everything.',
    choiceExample: ['read'],
    endHelp: 'Default: without an end.',
  }),
  { title: 'ApiKeyCreate' },
)
type ApiKeyCreate = Static<typeof ApiKeyCreate>

const workspaceKeyFields = {
  api_key: nullableText({
    description:
      'The key in plain text; null if there is none, or if it was created with another secret and cannot be shown.',
    examples: ['pub_Zm9vYmFy'],
  }),
  created_at: nullableMoment('Time of creation; null if there is no key.'),
  ending: Type.Array(
    Type.Object(
      {
        masked: nullableText({ description: 'Beginning and end of the key.', examples: ['pub_Zm9v…YmFy'] }),
        created_at: moment('Time of creation.'),
        expires_at: moment('End of the key.'),
      },
      { title: 'EndingKey' },
    ),
    { description: 'Earlier keys that are still valid.' },
  ),
}

const WorkspaceKey = Type.Object(workspaceKeyFields, {
  title: 'WorkspaceKey',
  description: 'The newest API key of a workspace.',
})
export type WorkspaceKey = Static<typeof WorkspaceKey>

const WorkspaceKeyRotate = Type.Object(
  { keep_sec: keepField('Seconds until the other keys end; 0 by default.') },
  { title: 'WorkspaceKeyRotate' },
)

/** Registers the API keys of workspaces, for operators. */
export function keyRoutes(app: HttpServer, deps: LibraryDeps): void {
  const { workspaceKeys } = deps
  const scope = keyScope(deps)
  getFirstKey(app, deps)
  rotateCredential(app, scope, workspaceKeys)
  listCredentials(app, scope, workspaceKeys)
  createCredential(app, scope, workspaceKeys)
  getCredential(app, scope, workspaceKeys)
  revokeCredential(app, scope, workspaceKeys)
}

/** GET /operator/workspaces/:id/key */
function getFirstKey(app: HttpServer, { workspaceKeys }: LibraryDeps) {
  app.get(
    '/operator/workspaces/:id/key',
    {
      schema: {
        operationId: 'operatorGetKey',
        summary: "Show a workspace's first API key",
        tags: ['Workspaces'],
        params: WorkspaceParams,
        problems: [workspaceNotFound],
        response: { 200: WorkspaceKey },
      },
    },
    async ({ params }) => workspaceKeyJson(await workspaceKeys.listFirst(params.id), workspaceKeys.textOf),
  )
}

function keyScope({ workspaceKeys, now }: LibraryDeps): CredentialScope<NoColumns> {
  const { textOf } = workspaceKeys
  return {
    path: '/operator/workspaces/:id/keys',
    rotatePath: '/operator/workspaces/:id/key/rotate',
    idParam: 'keyId',
    params: { owner: WorkspaceParams, credential: KeyParams },
    tags: ['Workspaces'],
    operationIds: {
      list: 'operatorListKeys',
      create: 'operatorCreateKey',
      rotate: 'operatorRotateKey',
      get: 'operatorGetApiKey',
      revoke: 'operatorRevokeKey',
    },
    names: { credential: 'an API key', noun: 'key', owner: 'a workspace' },
    summaries: { rotate: "Replace a workspace's first API key" },
    descriptions: {
      create: 'Adds a key to the workspace. Its other keys stay valid.',
      rotate: 'Creates a new first key; the other first keys end after `keep_sec` seconds, at once by default.',
    },
    schemas: {
      List: ApiKeyList,
      Shown: ShownApiKey,
      Create: ApiKeyCreate,
      Rotate: WorkspaceKeyRotate,
      Rotated: WorkspaceKey,
    },
    listJson: (rows) => ({ keys: rows.map((row) => apiKeyJson(row, textOf(row))) }),
    shownJson: shownKeyJson,
    rotatedJson: async ({ row }) => workspaceKeyJson(await workspaceKeys.listFirst(row.owner_id), textOf),
    async create(workspaceId, body) {
      const { permissions, label, keep_sec } = body as ApiKeyCreate
      const grant = {
        permissions: permissions ?? DEFAULT_PERMISSIONS,
        label: label ?? null,
        expiresAtMs: keep_sec == null ? null : now() + keep_sec * 1000,
        own: {},
      }
      const { id } = await workspaceKeys.requireOwner(workspaceId)
      const [key] = await workspaceKeys.grant(id, [grant])
      return key
    },
  }
}

/** Represents a key without its text. */
function apiKeyJson(row: StoredKey, text: string | undefined): ApiKey {
  return credentialJson(row, text, PERMISSIONS)
}

/** Represents a key with its text. */
function shownKeyJson(row: StoredKey, text: string | undefined): ShownApiKey {
  return { ...apiKeyJson(row, text), api_key: text ?? null }
}

/** Returns the newest of a workspace's keys in plain text, and the others, which all have an end. */
function workspaceKeyJson(
  [newest, ...others]: readonly StoredKey[],
  textOf: (row: StoredKey) => string | undefined,
): WorkspaceKey {
  return {
    api_key: (newest && textOf(newest)) ?? null,
    created_at: newest === undefined ? null : formatDateTime(newest.created_at),
    ending: others.flatMap((row) => {
      if (row.expires_at === null) return []
      const text = textOf(row)
      return {
        masked: text === undefined ? null : maskToken(text),
        created_at: formatDateTime(row.created_at),
        expires_at: formatDateTime(row.expires_at),
      }
    }),
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The workspace of the request's API key; set before any route that requires a key. */
    workspaceId: string
    /** The permissions of that API key. */
    keyPermissions: OpenedKey['permissions']
  }
}

/** Before the key is read. */
const NOTHING = null as unknown as OpenedKey['permissions']

/** Limits the requests of this scope by client address; scopes with the same limit share it. */
export function limitByAddress(app: HttpServer, limit: RateLimit | undefined): void {
  if (limit === undefined) return
  app.addHook('onRequest', (request, reply, done) => {
    const settling = countRequest(reply, limit, addressGroup(request.ip))
    if (settling === undefined) done()
    else settling.then(() => done(), done)
  })
}

/** Requires an API key for every request in this scope. */
export function requireApiKey(app: HttpServer, { keys }: { keys: TokenLookup<OpenedKey> }): void {
  app.decorateRequest('workspaceId', '')
  app.decorateRequest('keyPermissions', NOTHING)
  requireCredential(app, {
    find: keys,
    kind: 'api_key',
    permissions: PERMISSIONS,
    problems: { missing: keyMissing, invalid: keyInvalid, denied: permissionMissing },
    open(request, { workspaceId, permissions }) {
      request.workspaceId = workspaceId
      request.keyPermissions = permissions
      return { kind: 'workspace', id: workspaceId }
    },
    permissionsOf: ({ keyPermissions }) => keyPermissions,
  })
}
