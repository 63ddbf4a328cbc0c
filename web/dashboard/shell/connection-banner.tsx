import { Button, Group, Paper, Text } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useReachable } from '../api/reachable.ts'

/** Warns while the server cannot be reached, so that nobody takes old figures for current ones. */
export function ConnectionBanner() {
  const { t } = useTranslation()
  const { online } = useNetwork()
  const reachable = useReachable()
  const client = useQueryClient()
  const gone = !online || !reachable
  return (
    <div role="status">
      {gone && (
        <Paper withBorder p="xs" px="md" mb="md" bg="var(--mantine-color-yellow-light)">
          <Group justify="space-between" gap="sm">
            <Group gap="sm" wrap="nowrap">
              <CloudOff size={18} aria-hidden />
              <Text size="sm">{online ? t('connection.serverGone') : t('connection.offline')}</Text>
            </Group>
            <Button size="xs" variant="default" onClick={() => void client.invalidateQueries()}>
              {t('action.retry')}
            </Button>
          </Group>
        </Paper>
      )}
    </div>
  )
}
