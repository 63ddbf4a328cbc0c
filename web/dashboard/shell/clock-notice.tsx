import { Button, Group, List, Paper, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRights } from '../access/rights.tsx'
import { confirmClock, upkeepQuery } from '../api/administration/upkeep.ts'
import { ConfirmDialog } from '../forms/confirm-dialog.tsx'
import { useFormat } from '../i18n/format.ts'

/** Tells owners that nothing is deleted by its age because the clock of the server has jumped, and asks about it. */
export function ClockNotice() {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const { isOwner } = useRights()
  const [isAsking, setAsking] = useState(false)
  const held = useQuery({ ...upkeepQuery, enabled: isOwner }).data?.held ?? []
  const confirming = useMutation({
    mutationFn: confirmClock,
    onSuccess: async () => {
      setAsking(false)
      await client.invalidateQueries()
    },
  })
  if (held.length === 0) return null
  const [{ last_upkeep_at, clock }] = held
  const overdueOf = (name: string) => held.find(({ service }) => service === name)?.overdue ?? 0
  const [tracks, records] = [overdueOf('tracks'), overdueOf('operator')]
  return (
    <Paper withBorder px={{ base: 10, sm: 'md' }} py="xs" bg="var(--mantine-color-yellow-light)" role="note">
      <Group gap="sm" wrap="nowrap">
        <CalendarClock size={18} aria-hidden style={{ flexShrink: 0 }} />
        <Group gap="sm" justify="space-between" flex={1} miw={0}>
          <Text size="sm" maw={800}>
            {t('clock.notice', { before: format.dateTime(last_upkeep_at), now: format.dateTime(clock) })}{' '}
            {t('clock.noticeHelp')}
          </Text>
          <Button size="xs" variant="default" onClick={() => setAsking(true)}>
            {t('clock.confirm')}
          </Button>
        </Group>
      </Group>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => confirming.mutate()}
        confirming={confirming}
        title={t('clock.confirmTitle', { now: format.dateTime(clock) })}
        confirmLabel={t('clock.confirmNow')}
      >
        <List spacing="xs">
          {tracks > 0 && <List.Item>{t('clock.tracks', { count: tracks, figure: format.count(tracks) })}</List.Item>}
          {records > 0 && (
            <List.Item>{t('clock.records', { count: records, figure: format.count(records) })}</List.Item>
          )}
          <List.Item>{t('clock.others')}</List.Item>
        </List>
      </ConfirmDialog>
    </Paper>
  )
}
