import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { deletePublication, type OperatorPublication } from '../../api/publications.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Failure } from '../../feedback/failure.tsx'
import { notify } from '../../feedback/notify.ts'
import { useDialogWords } from '../../forms/use-dialog-words.ts'
import { paths } from '../../navigation/paths.ts'

/** Ends a publication for good. */
export function PublicationDelete({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const words = useDialogWords(t('publication.delete'))
  const [opened, setOpened] = useState(false)
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
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <Title order={2} mb="xs">
        {t('publication.delete')}
      </Title>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" flex="1 1 280px">
          {t('publication.deleteHelp')}
        </Text>
        <Button color="red" variant="outline" onClick={() => setOpened(true)}>
          {t('event.deleteOpen')}
        </Button>
      </Group>
      <DeleteDialog
        opened={opened}
        onClose={() => setOpened(false)}
        onConfirm={() => deleting.mutate()}
        busy={deleting.isPending}
        title={t('event.deleteThis', { name: title })}
        typedName={title}
        failure={deleting.isError && <Failure error={deleting.error} />}
        words={{ ...words, type: t('publication.typeTitle') }}
      >
        {t('publication.deleteHelp')}
      </DeleteDialog>
    </Paper>
  )
}
