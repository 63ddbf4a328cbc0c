import type { AccessRules, ProtectedResource } from '#platform/credentials/operator-rule.ts'
import { webhookAccess } from '#platform/webhooks/webhook-scope.ts'
import { workspaceWebhookOperation } from './library/webhooks.ts'
import type { PublicationBin } from './model/bin-store.ts'
import { binnedPublicationNotFound, publicationNotFound, workspaceNotFound } from './model/errors.ts'
import type { LibraryStore } from './model/library-store.ts'

/** Rules of access to workspaces and their publications. */
export const publicationsAccess: AccessRules = {
  Workspaces: {
    operatorListWorkspaces: { role: 'viewer', effect: 'reads' },
    operatorGetWorkspace: { role: 'viewer', effect: 'reads' },
    operatorCreateWorkspace: { role: 'editor', effect: 'changes', reach: 'everything' },
    operatorUpdateWorkspace: { role: 'editor', effect: 'changes' },
    operatorDeleteWorkspace: { role: 'editor', effect: 'erases', reach: 'everything' },
    operatorWatchLibrary: { role: 'viewer', effect: 'reads' },
    operatorGetFace: { role: 'viewer', effect: 'reads' },
    operatorUpdateFace: { role: 'editor', effect: 'releases' },
    operatorDeleteFace: { role: 'editor', effect: 'changes' },
    operatorUpdateShelfOrder: { role: 'editor', effect: 'changes' },
    operatorListCollections: { role: 'viewer', effect: 'reads' },
    operatorCreateCollection: { role: 'editor', effect: 'changes' },
    operatorUpdateCollection: { role: 'editor', effect: 'changes' },
    operatorDeleteCollection: { role: 'editor', effect: 'changes' },
    operatorUpdateDomain: { role: 'owner', effect: 'releases' },
    operatorCheckDomain: { role: 'owner', effect: 'reads' },
    operatorUploadLogo: { role: 'editor', effect: 'releases' },
    operatorDeleteLogo: { role: 'editor', effect: 'changes' },
  },
  'API keys': {
    operatorGetKey: { role: 'editor', effect: 'exports' },
    operatorRotateKey: { role: 'editor', effect: 'admits' },
    operatorListKeys: { role: 'editor', effect: 'reads' },
    operatorGetApiKey: { role: 'editor', effect: 'exports' },
    operatorCreateKey: { role: 'editor', effect: 'admits' },
    operatorRevokeKey: { role: 'editor', effect: 'erases' },
  },
  Publications: {
    operatorListPublications: { role: 'viewer', effect: 'reads' },
    operatorGetPublication: { role: 'viewer', effect: 'reads' },
    operatorListPages: { role: 'viewer', effect: 'reads' },
    operatorGetPageImage: { role: 'viewer', effect: 'reads' },
    operatorGetFigures: { role: 'viewer', effect: 'reads' },
    operatorGetLibraryFigures: { role: 'viewer', effect: 'reads' },
    operatorCreateUploadUrl: { role: 'editor', effect: 'changes' },
    operatorCreatePublication: { role: 'editor', effect: 'changes', also: ['releases'] },
    operatorUpdatePublication: { role: 'editor', effect: 'changes', also: ['releases'] },
    operatorReplacePublicationFile: { role: 'editor', effect: 'releases' },
    operatorExportPublication: { role: 'viewer', effect: 'exports' },
    operatorListVersions: { role: 'viewer', effect: 'reads' },
    operatorGetVersionChanges: { role: 'viewer', effect: 'reads' },
    operatorCheckPublicationFile: { role: 'editor', effect: 'reads' },
    operatorPublishVersion: { role: 'editor', effect: 'releases' },
    operatorDeleteVersion: { role: 'editor', effect: 'erases' },
    operatorPublishPublication: { role: 'editor', effect: 'releases' },
    operatorUnpublishPublication: { role: 'editor', effect: 'changes' },
    operatorListReaderLinks: { role: 'editor', effect: 'reads' },
    operatorCreateReaderLink: { role: 'editor', effect: 'admits' },
    operatorUpdateReaderLink: { role: 'editor', effect: 'admits' },
    operatorRevokeReaderLink: { role: 'editor', effect: 'changes' },
    operatorDeletePublication: { role: 'editor', effect: 'erases' },
    operatorListBinnedPublications: { role: 'editor', effect: 'reads' },
    operatorRestorePublication: { role: 'editor', effect: 'changes' },
    operatorDeleteBinnedPublication: { role: 'editor', effect: 'erases' },
  },
  Webhooks: webhookAccess(workspaceWebhookOperation),
}

type Protected = { library: LibraryStore; bin: PublicationBin }

/**
 * Returns the things of workspaces that addresses for operators name, so that the
 * guard can tell which workspace each is in.
 */
export function protectedResources({ library, bin }: Protected): ProtectedResource[] {
  return [
    { address: '/operator/workspaces/:id', ownerOf: (id) => id, notFound: workspaceNotFound },
    {
      address: '/operator/publications/:id',
      ownerOf: async (id) => (await library.find(id))?.workspace_id,
      notFound: publicationNotFound,
    },
    {
      address: '/operator/bin/publications/:id',
      ownerOf: async (id) => (await bin.find(id))?.workspace_id,
      notFound: binnedPublicationNotFound,
    },
  ]
}
