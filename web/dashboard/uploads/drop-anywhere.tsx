import { Center, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { FileUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** Accepts files dropped anywhere in the window, with a hint while they are dragged over it. */
export function DropAnywhere({ onFiles, label }: { onFiles(files: File[]): void; label?: string }) {
  const { t } = useTranslation()
  return (
    // Every file is accepted here; the list of uploads tells why one is refused.
    <Dropzone.FullScreen active onDrop={onFiles} loaderProps={{ 'aria-hidden': true }}>
      <Center h="calc(100dvh - 80px)">
        <Stack align="center">
          <FileUp size={56} aria-hidden />
          <Text size="xl">{label ?? t('upload.dropHere')}</Text>
        </Stack>
      </Center>
    </Dropzone.FullScreen>
  )
}
