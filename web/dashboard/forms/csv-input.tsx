import { Button, FileButton, Textarea } from '@mantine/core'
import { Upload } from 'lucide-react'
import { type DragEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'

type CsvInputProps = {
  label: string
  description: string
  placeholder: string
  value: string
  onChange(csv: string): void
}

/** Takes CSV: pasted or dropped. {@link CsvFileButton} takes it from a file. */
export function CsvInput({ label, description, placeholder, value, onChange }: CsvInputProps) {
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files
    if (file === undefined) return
    event.preventDefault()
    void file.text().then(onChange)
  }
  return (
    <Textarea
      label={label}
      description={description}
      placeholder={placeholder}
      autosize
      minRows={6}
      maxRows={14}
      spellCheck={false}
      styles={{ input: { fontFamily: 'ui-monospace, monospace', fontSize: '0.875rem' } }}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onDrop={drop}
    />
  )
}

/** Takes CSV from a file that is chosen. */
export function CsvFileButton({ onChange }: Pick<CsvInputProps, 'onChange'>) {
  const { t } = useTranslation()
  const reset = useRef<() => void>(null)
  const take = async (file: File | null) => {
    if (file === null) return
    onChange(await file.text())
    reset.current?.()
  }
  return (
    <FileButton
      onChange={(file) => void take(file)}
      accept=".csv,.tsv,.txt,text/csv"
      resetRef={reset}
      inputProps={{ 'aria-hidden': true, tabIndex: -1 }}
    >
      {(props) => (
        <Button {...props} variant="default" leftSection={<Upload size={16} aria-hidden />}>
          {t('race.chooseCsv')}
        </Button>
      )}
    </FileButton>
  )
}
