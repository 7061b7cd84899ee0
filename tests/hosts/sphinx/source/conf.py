project = "Harbour School"
author = "The office"
language = "en"
html_theme = "alabaster"
# Campanile answers on the page "Ask"; Sphinx's own search would be a second one.
html_sidebars = {"**": ["about.html", "navigation.html"]}
