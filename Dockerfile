# The bridge as an image: docker compose up --build
# Two stages, so that what only builds is not in the image that runs.

FROM python:3.13-slim AS build
WORKDIR /src
COPY requirements/run.txt requirements/run.txt
RUN python -m venv /opt/bridge \
    && /opt/bridge/bin/pip install --no-cache-dir --require-hashes --requirement requirements/run.txt
COPY pyproject.toml README.md LICENSE ./
COPY bridge bridge
COPY foundry-module foundry-module
RUN /opt/bridge/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.13-slim
COPY --from=build /opt/bridge /opt/bridge
# /data: what the bridge keeps. /module: where `bridge module` puts the module's files for a Foundry in a container.
RUN groupadd --gid 10001 bridge \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin bridge \
    && install --directory --owner=10001 --group=10001 --mode=0700 /data \
    && install --directory --owner=10001 --group=10001 --mode=0755 /module
# A container is reached from outside of it; docker-compose.yml publishes the port on this computer alone.
ENV PATH=/opt/bridge/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    BRIDGE_DATA_DIR=/data \
    BRIDGE_HOST=0.0.0.0 \
    BRIDGE_INSECURE_LAN=true
USER 10001:10001
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s --retries=3 CMD ["python", "-m", "bridge", "health"]
ENTRYPOINT ["bridge"]
CMD ["serve"]
