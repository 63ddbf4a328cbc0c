import { Anchor, Group, Paper, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DatabaseBackup } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useRights } from '../access/rights.tsx'
import { upkeepQuery } from '../api/administration/upkeep.ts'
import { useFormat } from '../i18n/format.ts'
import { guides } from '../navigation/paths.ts'

/** Tells owners that backups have stopped, or were never made. */
export function BackupNotice() {
  const { t } = useTranslation()
  const format = useFormat()
  const { isOwner } = useRights()
  const backup = useQuery({ ...upkeepQuery, enabled: isOwner }).data?.backup
  if (backup === undefined || !backup.is_overdue) return null
  const last = backup.last_success_at
  return (
    <Paper withBorder px={{ base: 10, sm: 'md' }} py="xs" bg="var(--mantine-color-yellow-light)" role="note">
      <Group gap="sm" wrap="nowrap">
        <DatabaseBackup size={18} aria-hidden style={{ flexShrink: 0 }} />
        <Text size="sm" maw={800}>
          {last === null ? t('backup.none') : t('backup.overdue', { time: format.dateTime(last) })}{' '}
          <Anchor href={guides.backUp} target="_blank" c="inherit" inherit underline="always">
            {t('backup.guide')}
          </Anchor>
        </Text>
      </Group>
    </Paper>
  )
}
