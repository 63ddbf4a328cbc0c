import { Badge, Group, Paper, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { OperatorWorkspace } from '../../api/workspaces.ts'
import { useFormat } from '../../i18n/format.ts'
import { AnchorLink } from '../../navigation/links.tsx'
import { paths } from '../../navigation/paths.ts'

/** A workspace in the list, with its size and current activity. */
export function WorkspaceCard({ workspace }: { workspace: OperatorWorkspace }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, name, publications_count: count, processing_count: processing, stored_bytes: bytes } = workspace
  return (
    <Paper component="li" withBorder p="md" bg="var(--panel-background)">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <AnchorLink to={paths.workspace} params={{ workspaceId: id }} fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </AnchorLink>
        {processing > 0 && (
          <Badge variant="filled" color="cyan.9" style={{ flexShrink: 0 }}>
            {t('workspaces.processing', { count: processing, figure: format.count(processing) })}
          </Badge>
        )}
      </Group>
      <Text size="sm" className="figures" mt="xs">
        {t('workspaces.publications', { count, figure: format.count(count) })}
        {' · '}
        {format.bytes(bytes)}
      </Text>
      <Text size="sm" c="dimmed">
        {t('workspaces.since', { date: format.date(workspace.created_at) })}
      </Text>
    </Paper>
  )
}
