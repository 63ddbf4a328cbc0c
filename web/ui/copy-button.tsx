import { Button, CopyButton as Copying, VisuallyHidden } from '@mantine/core'
import { Check, Copy } from 'lucide-react'

type CopyButtonProps = { value: string; label: string; copiedLabel: string; size?: 'xs' | 'sm'; name?: string }

/**
 * Copies a text to the clipboard, and announces it to screen readers. `name` names the text where the label alone does
 * not.
 */
export function CopyButton({ value, label, copiedLabel, size = 'sm', name }: CopyButtonProps) {
  return (
    <Copying value={value} timeout={2000}>
      {({ copied, copy }) => (
        <>
          <Button
            variant="default"
            size={size}
            onClick={copy}
            aria-label={name}
            leftSection={copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          >
            {label}
          </Button>
          <VisuallyHidden role="status">{copied ? copiedLabel : ''}</VisuallyHidden>
        </>
      )}
    </Copying>
  )
}
