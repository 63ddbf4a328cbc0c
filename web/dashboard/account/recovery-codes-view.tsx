import { Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/copy-button.tsx'

/** New recovery codes, which are shown once. */
export function RecoveryCodesView({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const { t } = useTranslation()
  const text = `${codes.join('\n')}\n`
  return (
    <Stack>
      <Text>{t('security.codesShown')}</Text>
      <SimpleGrid component="ul" cols={{ base: 1, xs: 2 }} spacing="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {codes.map((code) => (
          <li key={code}>
            <Code fz="sm">{code}</Code>
          </li>
        ))}
      </SimpleGrid>
      <Group>
        <CopyButton value={text} label={t('security.codesCopy')} copiedLabel={t('action.copied')} />
        <Button
          variant="default"
          leftSection={<Download size={16} aria-hidden />}
          onClick={() => save(text, `trackpress-${location.hostname}.txt`)}
        >
          {t('security.codesDownload')}
        </Button>
      </Group>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('security.codesSaved')}</Button>
      </Group>
    </Stack>
  )
}

function save(text: string, fileName: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = Object.assign(document.createElement('a'), { href: address, download: fileName })
  link.click()
  // Browsers begin to read the file after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
