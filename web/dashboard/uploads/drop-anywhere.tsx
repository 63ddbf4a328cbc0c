import { Center, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { FileUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** Takes files that are dropped anywhere in the window, and says so while they are held over it. */
export function DropAnywhere({ onFiles }: { onFiles(files: File[]): void }) {
  const { t } = useTranslation()
  return (
    // What a file is good for is said with the file, among those that are uploaded.
    <Dropzone.FullScreen active onDrop={onFiles} loaderProps={{ 'aria-hidden': true }}>
      <Center h="calc(100dvh - 80px)">
        <Stack align="center">
          <FileUp size={56} aria-hidden />
          <Text size="xl">{t('upload.dropHere')}</Text>
        </Stack>
      </Center>
    </Dropzone.FullScreen>
  )
}
