import { formatDateTime } from '#platform/basics/time.ts'
import { credentialJson } from '#platform/credentials/credential-json.ts'
import {
  type CredentialScope,
  createCredential,
  getCredential,
  listCredentials,
  revokeCredential,
  rotateCredential,
} from '#platform/credentials/routes.ts'
import { maskToken } from '#platform/credentials/token.ts'
import type { HttpServer } from '#platform/http/http-server.ts'
import { workspaceNotFound } from '../model/errors.ts'
import { DEFAULT_PERMISSIONS, PERMISSIONS } from '../model/fields.ts'
import { WorkspaceParams } from '../model/schemas.ts'
import { type ApiKey, ApiKeyCreate, ApiKeyList, KeyParams, ShownApiKey } from './api-key-schemas.ts'
import type { LibraryDeps } from './library-deps.ts'
import type { NoColumns, ApiKey as StoredKey } from './workspace-keys.ts'
import { WorkspaceKey, WorkspaceKeyRotate } from './workspace-schemas.ts'

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
