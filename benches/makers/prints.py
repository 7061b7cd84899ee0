"""A handbook that went through other hands: printed to PostScript and distilled, and scanned and read by Tesseract."""

from typeset import run


def ghostscript(out, printed):
    """A PDF made of the PostScript that a printer would have got."""
    folder = out.parent
    run("pdftops", printed.name, "ghostscript.ps", folder=folder)
    run("ps2pdf", "ghostscript.ps", out.name, folder=folder)


def tesseract(out, printed):
    """Pictures of the pages with what Tesseract read laid below."""
    folder = out.parent
    run("pdftoppm", "-r", "200", "-gray", "-png", printed.name, "scan", folder=folder)
    pictures = sorted(picture.name for picture in folder.glob("scan-*.png"))
    (folder / "scan.txt").write_text("\n".join(pictures))
    run("tesseract", "scan.txt", out.stem, "-l", "eng", "pdf", folder=folder)
    for picture in pictures:
        (folder / picture).unlink()
