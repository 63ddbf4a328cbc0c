import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from './confirm-dialog.tsx'

type DeletePanelProps = {
  /** The name of the thing; it has to be typed before anything is deleted. */
  name: string
  title: string
  help: string
  typeLabel?: string
  onDelete(): void
  deleting: { isPending: boolean; error: unknown }
  /** The consequences, such as what else is deleted. */
  children: ReactNode
}

/** The part of a settings page that deletes what the page is about. */
export function DeletePanel({ name, title, help, typeLabel, onDelete, deleting, children }: DeletePanelProps) {
  const { t } = useTranslation()
  const [opened, { open, close }] = useDisclosure()
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <Title order={2} mb="xs">
        {title}
      </Title>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" flex="1 1 280px">
          {help}
        </Text>
        <Button color="red" variant="outline" onClick={open}>
          {t('action.delete')}
        </Button>
      </Group>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        onConfirm={onDelete}
        confirming={deleting}
        title={t('action.deleteThis', { name })}
        confirmLabel={title}
        typedName={name}
        typeLabel={typeLabel}
      >
        {children}
      </ConfirmDialog>
    </Paper>
  )
}
