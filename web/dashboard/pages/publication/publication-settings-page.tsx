import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { publicationQuery } from '../../api/publications.ts'
import { Loaded } from '../../feedback/loaded.tsx'
import { routeIds } from '../../navigation/paths.ts'
import { FileReplace } from './file-replace.tsx'
import { PublicationDelete } from './publication-delete.tsx'
import { PublicationEdit } from './publication-edit.tsx'
import { Visibility } from './visibility.tsx'

/** Edits a publication, replaces its file, and unpublishes or deletes it. */
export function PublicationSettingsPage() {
  const { publicationId } = useParams({ from: routeIds.publication })
  const publication = useQuery(publicationQuery(publicationId))
  return (
    <Loaded query={publication}>
      {(found) => (
        <Stack maw={640} gap="lg">
          <PublicationEdit publication={found} />
          <FileReplace publication={found} />
          <Visibility publication={found} />
          <PublicationDelete publication={found} />
        </Stack>
      )}
    </Loaded>
  )
}
