import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { deletePublication, type OperatorPublication } from '../../api/publications.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { notify } from '../../feedback/notify.ts'
import { DeletePanel } from '../../forms/delete-panel.tsx'
import { paths } from '../../navigation/paths.ts'

/** Deletes a publication for good. */
export function PublicationDelete({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { id, title, workspace } = publication
  const deleting = useMutation({
    mutationFn: () => deletePublication(id),
    onSuccess: async () => {
      await navigate({ to: paths.workspace, params: { workspaceId: workspace.id } })
      client.removeQueries({ queryKey: queryKeys.publication(id) })
      notify(t('publication.deleted', { title }))
      await client.invalidateQueries({ queryKey: queryKeys.workspace(workspace.id) })
    },
  })
  return (
    <DeletePanel
      name={title}
      title={t('publication.delete')}
      help={t('publication.deleteHelp')}
      typeLabel={t('publication.typeTitle')}
      onDelete={() => deleting.mutate()}
      deleting={deleting}
    >
      {t('publication.deleteHelp')}
    </DeletePanel>
  )
}
