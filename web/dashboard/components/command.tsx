import { Group, Paper, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/copy-button.tsx'

/** Text to paste elsewhere, such as a command for a terminal. */
export function Command({ label, command }: { label: string; command: string }) {
  const { t } = useTranslation()
  return (
    <Paper withBorder p="md" bg="var(--panel-background)">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          {label}
        </Title>
        <CopyButton
          size="xs"
          value={command}
          label={t('action.copy')}
          name={t('action.copyThing', { thing: label })}
          copiedLabel={t('action.copied')}
        />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard */}
      <pre className="command" tabIndex={0}>
        <code>{command}</code>
      </pre>
    </Paper>
  )
}
