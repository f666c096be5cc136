#!/bin/sh
# Chromium's headless shell, with the tab that chromedriver waits for.
exec chromium-headless-shell "$@" about:blank
