import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type OperatorPublication, publicationQuery, setPublished } from '../../api/publications.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Failure } from '../../feedback/failure.tsx'
import { notify } from '../../feedback/notify.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'

/** Unpublishes a publication, or publishes it again. */
export function Visibility({ publication }: { publication: OperatorPublication }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [opened, setOpened] = useState(false)
  const { id, title, workspace } = publication
  const isPublic = publication.unpublished_at === null
  const changing = useMutation({
    mutationFn: (isPublished: boolean) => setPublished(id, isPublished),
    onSuccess: async (changed, isPublished) => {
      setOpened(false)
      client.setQueryData(publicationQuery(id).queryKey, changed)
      notify(t(isPublished ? 'visibility.published' : 'visibility.unpublished', { title }))
      await client.invalidateQueries({ queryKey: queryKeys.library(workspace.id) })
    },
  })
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <Title order={2} mb="xs">
        {t('visibility.title')}
      </Title>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" flex="1 1 280px">
          {isPublic ? t('visibility.isPublic') : t('visibility.isNotPublic')}
        </Text>
        {isPublic ? (
          <Button variant="default" onClick={() => setOpened(true)}>
            {t('visibility.unpublishOpen')}
          </Button>
        ) : (
          <Button loading={changing.isPending} onClick={() => changing.mutate(true)}>
            {t('visibility.publish')}
          </Button>
        )}
      </Group>
      {!isPublic && changing.isError && <Failure error={changing.error} />}
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        onConfirm={() => changing.mutate(false)}
        confirming={changing}
        title={t('visibility.unpublishThis', { title })}
        confirmLabel={t('visibility.unpublish')}
      >
        {t('visibility.unpublishHelp')}
      </ConfirmDialog>
    </Paper>
  )
}
