import { Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { aboutKey } from '../api/query-client.ts'
import { Loaded, notify } from '../components/feedback.tsx'
import { DeletePanel } from '../components/forms.tsx'
import { paths, routeIds } from '../components/paths.ts'
import { operatorGetPublicationOptions } from '../generated/@tanstack/react-query.gen.ts'
import { operatorDeletePublication } from '../generated/sdk.gen.ts'
import type { OperatorPublication } from '../generated/types.gen.ts'
import { FileReplace } from './file-replace.tsx'
import { PublicationEdit } from './publication-edit.tsx'
import { PublicationVersions } from './publication-versions.tsx'
import { PublicationVisibility } from './publication-visibility.tsx'
import { ReaderLinks } from './reader-links.tsx'

/** Edits a publication, replaces its file, and unpublishes or deletes it. */
export function PublicationSettingsPage() {
  const { publicationId } = useParams({ from: routeIds.publication })
  const publication = useQuery(operatorGetPublicationOptions({ path: { id: publicationId } }))
  return (
    <Loaded query={publication}>
      {(found) => (
        <Stack maw={640} gap="lg">
          <PublicationEdit publication={found} />
          <FileReplace publication={found} />
          <PublicationVersions publication={found} />
          <PublicationVisibility publication={found} />
          <ReaderLinks publication={found} />
          <PublicationDelete publication={found} />
        </Stack>
      )}
    </Loaded>
  )
}

/** Deletes a publication for good. */
function PublicationDelete({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { id, title, workspace } = publication
  return (
    <DeletePanel
      name={title}
      title={t('publication.delete')}
      help={t('publication.deleteHelp')}
      typeLabel={t('publication.typeTitle')}
      action={() => operatorDeletePublication({ path: { id } })}
      onDone={async () => {
        await navigate({ to: paths.workspace, params: { workspaceId: workspace.id } })
        client.removeQueries({ queryKey: aboutKey(id) })
        notify(t('publication.deleted', { title }))
        await client.invalidateQueries({ queryKey: aboutKey(workspace.id) })
      }}
    >
      {t('publication.deleteHelp')}
    </DeletePanel>
  )
}
